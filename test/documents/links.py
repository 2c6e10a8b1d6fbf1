"""links.py: everything that the documents refer to exists.

Usage: test/documents/links.py

Checks README.md, CHANGELOG.md and every page below docs/:

- links and their anchors;
- paths of this repository in code spans, such as `src/hooks.c`;
- functions named in docs/internals, such as `read_page()`, are in a source;
- links lead from README.md to every page;
- words that the documents do not use (AVOIDED), except in quotations and in
  the glossary, which names their replacements;
- pages named in comments of sources.

docs/results/ describes the past, so only its links are checked.  Prints one
line per page, like snippets.py.
"""
import functools
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = "bench|common|daemon|docs|monitoring|probe|specs|sql|src|t|test"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./*-]*)`")
FUNCTION = re.compile(r"`(?!pg_)([a-z]\w*_\w+)\(\)`")
NAMED = re.compile(r"\bdocs/[\w/-]+\.(?:md|1|8)\b")
AVOIDED = re.compile(r"\b(somebody|nobody|so many|business|on and on|in flight|"
                     r"harvest\w*|glean\w*|company|patience)\b", re.IGNORECASE)
SOURCES = ("*.c", "*.h", "*.py", "*.sh", "*.pl", "*.pm", "Makefile", "run",
           "*.sql", "*.spec")


@functools.lru_cache(maxsize=None)
def sources():
    return "".join(path.read_text(errors="replace")
                   for folder in ("src", "daemon", "probe", "common", "bench")
                   for path in sorted((TOP / folder).rglob("*.[ch]")))


def pages():
    return [TOP / "README.md", TOP / "CHANGELOG.md",
            *sorted((TOP / "docs").rglob("*.md"))]


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """As GitHub derives them from headings."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", without_code(page.read_text()),
                              re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.replace(" ", "-"))
    return found


def link_problem(page, link):
    target, _, anchor = link.partition("#")
    if re.match(r"\w+:", link):
        return None
    other = (page.parent / target).resolve() if target else page
    if not other.exists():
        return f"leads nowhere: {link}"
    if anchor and anchor not in anchors(other):
        return f"there is no such heading: {link}"
    return None


def is_pattern(path):
    """A name with a placeholder, or of a file that running something creates.
    """
    return re.search(r"[A-Z]{3}", path) or path.startswith("bench/results")


def path_exists(path):
    return any(True for _ in TOP.glob(path.rstrip("/"))) if "*" in path \
        else (TOP / path).exists()


def problems(page):
    text = page.read_text()
    for link in LINK.findall(without_code(text)):
        problem = link_problem(page, link)
        if problem:
            yield problem
    if TOP / "docs" / "results" in page.parents:
        return
    for path in PATH.findall(text):
        if not is_pattern(path) and not path_exists(path):
            yield f"there is no {path}"
    if page.parent.name == "internals":
        for name in FUNCTION.findall(text):
            if f"{name}(" not in sources():
                yield f"no source has a function {name}()"
    for word in AVOIDED.findall(re.sub(r"`.*?`|\".*?\"", "", text)):
        yield f"a word to avoid: {word}"


def reached():
    """The pages to which links lead from README.md."""
    seen, left = set(), [TOP / "README.md"]
    while left:
        page = left.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for link in LINK.findall(without_code(page.read_text())):
            other = (page.parent / link.partition("#")[0]).resolve()
            if not re.match(r"\w+:", link) and other.is_file():
                left.append(other)
    return seen


def named_in_sources():
    for pattern in SOURCES:
        for path in TOP.rglob(pattern):
            if not path.is_file() or "results" in path.parts:
                continue
            for name in NAMED.findall(path.read_text(errors="replace")):
                yield path, name


def report(name, found):
    print(f"{'not ok' if found else 'ok'} {name}")
    for problem in found:
        print(f"# {problem}")
    return not found


def main():
    good = True
    for page in pages():
        good = report(f"links of {page.relative_to(TOP)}",
                      list(problems(page))) and good
    lost = [f"no link leads to {page.relative_to(TOP)}"
            for page in pages() if page not in reached()]
    good = report("every page is linked", lost) and good
    gone = sorted({f"{path.relative_to(TOP)} names {name}"
                   for path, name in named_in_sources()
                   if not (TOP / name).exists()})
    good = report("pages named in sources exist", gone) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
