"""snippets.py: runs the snippets of README and of the pages for readers.

Usage: test/documents/snippets.py [--update] [PAGE...]

Without a page: README.md, docs/first-query.md, docs/howto/ and
docs/reference/.  It needs a dedicated server, found by PGHOST and PGPORT, with
ssdpar in shared_preload_libraries, because it resets settings made by ALTER
SYSTEM after each page.  t/030_documents.pl has such a server.  Each snippet is
one line, "ok NAME" or "not ok NAME", with "# ..." lines after a failure.

--update replaces outputs in the pages that differ from the actual ones. Read
the difference before committing it.

A block fenced as ```sql is run by psql, and one fenced as ```sh by bash, from
the top of the repository.  Each has a separate session, and all blocks of a
page use one database.  A following block fenced as ```text is the output: its
lines must be among those printed, in that order, ignoring numbers and blanks;
"..." matches any lines, or the rest of one.  make_database() has the settings
of the test's database.  An HTML comment before a block, which readers do not
see, changes this:

    <!-- test: none="the reason" -->    not run
    <!-- test: dry -->                  sh: programs and options exist
    <!-- test: error -->                must fail
    <!-- test: needs=MODULE -->         skipped if the server has no MODULE
    <!-- test: keep="REGEX" -->         text: --update keeps matching lines only
    <!-- test: cut="REGEX" -->          text: --update cuts lines after it
    <!-- test: database=NAME -->        of the page: shop (the default; see
                                        shop.sql) or empty, without ssdpar

Steps that take a minute are shortened: calibrate() measures for a second. Then
an invented device profile replaces the measured one, so that plans are the
same on any machine.  /var/tmp is a directory of this run.

The pages for readers contain no other kind of example.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = TOP / "test" / "documents"
FENCE = re.compile(r"^( *)```(\w*)$")
MARK = re.compile(r"^ *<!-- test: (.*) -->$")
PROFILE = ("SELECT invent_device('least(depth, 16) * 80000000.0 / size"
           " * CASE WHEN size > 8192 THEN 4 ELSE 1 END', 128, 2.5e-6)")
SHORTER = [("calibrate('pg_default')", "calibrate('pg_default', 1, 64)"),
           ("ssdpar-probe ", "ssdpar-probe --seconds=1 --file-size=64 ")]


def pages_for_readers():
    yield TOP / "README.md"
    yield TOP / "docs" / "first-query.md"
    for folder in ("howto", "reference"):
        yield from sorted((TOP / "docs" / folder).glob("*.md"))


class Snippet:
    """A block, its marks, and the position of its output, if it has one."""

    def __init__(self, page, line, language, text, marks):
        self.page = page
        self.line = line
        self.language = language
        self.text = text
        self.marks = marks
        self.output = None          # (first line, line after the last)
        self.indent = ""
        self.keep = self.cut = None

    @property
    def name(self):
        return f"{self.page.relative_to(TOP)}:{self.line}"


def parse_marks(text):
    marks = {}
    for word in shlex.split(text):
        key, _, value = word.partition("=")
        if key not in ("none", "dry", "error", "needs", "keep", "cut",
                       "database"):
            raise SystemExit(f"snippets.py: there is no mark {key!r}")
        marks[key] = value
    return marks


def read_page(page):
    """The snippets of a page, and the page's marks."""
    lines = page.read_text().split("\n")
    snippets, marks, of_page, at = [], {}, {}, 0
    while at < len(lines):
        mark, fence = MARK.match(lines[at]), FENCE.match(lines[at])
        if mark:
            marks = parse_marks(mark.group(1))
            of_page.update({k: v for k, v in marks.items()
                            if k == "database"})
        elif fence:
            indent, language = fence.groups()
            end = lines.index(indent + "```", at + 1)
            text = textwrap.dedent("\n".join(lines[at + 1:end]))
            if language in ("sql", "sh"):
                snippets.append(Snippet(page, at + 1, language, text, marks))
            elif "none" not in marks:
                if (language != "text" or not snippets or
                        snippets[-1].output):
                    raise SystemExit(f"snippets.py: {page}, line {at + 1}: a "
                                     "block of no snippet; mark it none")
                snippets[-1].output = (at + 1, end)
                snippets[-1].indent = indent
                snippets[-1].keep = marks.get("keep")
                snippets[-1].cut = marks.get("cut")
            marks, at = {}, end
        at += 1
    return snippets, of_page


def call(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd=TOP,
                          timeout=300, **more)


def psql(database, text, *options):
    return call(["psql", "-X", "-v", "ON_ERROR_STOP=1", *options, "-d",
                 database, "-f", "-"], input=text)


def must(result):
    if result.returncode:
        raise SystemExit("snippets.py: " + result.stdout)


def has_module(name):
    """A program, an extension or a library that the server can load."""
    found = psql("postgres", "SELECT FROM pg_available_extensions"
                 f" WHERE name = '{name}'", "-qAt", "-c", f"LOAD '{name}'")
    return found.returncode == 0 or any(
        os.access(os.path.join(folder, name), os.X_OK)
        for folder in os.environ["PATH"].split(":"))


def invent_profile(database):
    must(psql(database, PROFILE, "-q"))


def wait_for_daemon():
    """The server starts it a moment after its own start, or after a page has
    ended it."""
    answers = ("DO $$ BEGIN FOR attempt IN 1..600 LOOP"
               " IF (SELECT problem IS NULL FROM ssdpar.daemon_status())"
               " THEN RETURN; END IF; PERFORM pg_sleep(0.1); END LOOP;"
               " RAISE 'there is no daemon after a minute: %',"
               " (SELECT problem FROM ssdpar.daemon_status()); END $$")
    must(psql("documents_shop", answers, "-q"))


def make_template():
    must(psql("postgres", "CREATE DATABASE documents_shop;", "-q"))
    must(psql("documents_shop", "CREATE EXTENSION ssdpar;\n" +
              (TOP / "test" / "invent_device.sql").read_text() +
              (HERE / "shop.sql").read_text(), "-q"))
    invent_profile("documents_shop")


def make_database(name, kind):
    template = "documents_shop" if kind == "shop" else "template1"
    must(psql("postgres", f"""
DROP DATABASE IF EXISTS {name};
CREATE DATABASE {name} TEMPLATE {template};
ALTER DATABASE {name} SET max_parallel_workers_per_gather = 0;
ALTER DATABASE {name} SET jit = off;""", "-q"))
    if kind == "shop":
        must(psql("postgres",
                  f"ALTER DATABASE {name} SET ssdpar.residency = 'cold'", "-q"))
        # the server's profile, which the previous page may have changed or
        # deleted
        invent_profile(name)


def shorten(text, scratch):
    for long, short in [*SHORTER, ("/var/tmp", scratch)]:
        text = text.replace(long, short)
    return text


def option_missing(words):
    """The first word of a command that its program does not know, or None."""
    program, *rest = [word for word in words if word != "sudo"]
    if program == "make":
        result = call(["make", "-n", *rest])
        return result.stdout if result.returncode else None
    if program == "./run":
        known = call(["./run", "help"]).stdout
        if rest[0] == "bench" and len(rest) > 1 and rest[1] not in ("report",):
            known += (TOP / "bench" / f"{rest[1]}.py").read_text()
            known += "".join(path.read_text() for path in
                             (TOP / "bench" / "lib").glob("*.py"))
            rest = rest[2:]
    else:
        known = call([program, "--help"]).stdout
    for word in rest:
        name = word.split("=")[0]
        if word.startswith("--") and not re.search(
                re.escape(name) + r"\b", known):
            return word
    if program == "./run" and rest and rest[0].isalpha() and \
            not re.search(rf"\b{rest[0]}\b", known):
        return rest[0]
    return None


def run_dry(snippet):
    for line in snippet.text.replace("\\\n", "").split("\n"):
        for command in line.split("#")[0].split("&&"):
            words = shlex.split(command)
            missing = words and option_missing(words)
            if missing:
                return 1, f"{command.strip()}: there is no {missing}"
    return 0, ""


def run_snippet(snippet, database, scratch):
    text = shorten(snippet.text, scratch)
    if "dry" in snippet.marks:
        return run_dry(snippet)
    if snippet.language == "sql":
        plain = ["-qAt"] if "EXPLAIN" in text else ["-q"]
        result = psql(database, text, *plain)
        output = re.sub(r"^psql:<stdin>:\d+: ", "", result.stdout,
                        flags=re.MULTILINE)
    else:
        result = call(["bash", "-euc", text],
                      env=dict(os.environ, PGDATABASE=database))
        output = result.stdout
    if "calibrate(" in text and not result.returncode:
        invent_profile(database)
    return result.returncode, output


def normal(line):
    """The compared part of a line; None if there is none."""
    if re.fullmatch(r"[-+\s]*", line) or line.strip() == "...":
        return None
    line = re.sub(r"\d+(\.\d+)?", "0", line)
    return re.sub(r"\s+", " ", line).strip()


def missing_line(expected, output):
    """The first line of expected that output does not have in its place."""
    got = [normal(line) for line in output.split("\n")]
    at = 0
    for line in expected:
        wanted = normal(line)
        if wanted is None:
            continue
        begins = wanted.endswith(" ...")
        wanted = wanted[:-4] if begins else wanted
        while at < len(got) and not (
                got[at] is not None and got[at].startswith(wanted)
                if begins else got[at] == wanted):
            at += 1
        if at == len(got):
            return line
        at += 1
    return None


def shown(output, keep, cut):
    """The lines that --update writes: "..." stands for what is left out."""
    lines = [line.rstrip() for line in output.rstrip("\n").split("\n")]
    if cut:
        lines = [re.sub(rf"({cut}).+", r"\1 ...", line) for line in lines]
    if not keep:
        return lines
    kept = []
    for line in lines:
        if re.search(keep, line):
            kept.append(line)
        elif kept and kept[-1].strip() != "...":
            kept.append(re.match(r"\s*", line).group() + "...")
    return textwrap.dedent("\n".join(kept)).split("\n")


def problem_of(snippet, code, output, lines):
    if (code != 0) != ("error" in snippet.marks):
        return "it failed" if code else "it did not fail"
    if snippet.output:
        missing = missing_line(lines[slice(*snippet.output)], output)
        if missing is not None:
            return f"not printed, or not there: {missing.strip()}"
    return None


def report(good, name, problem=None, output="", skip=False):
    print(f"{'ok' if good else 'not ok'} {name}{' # skip' if skip else ''}",
          flush=True)
    if not good:
        for line in [problem, *output.split("\n")]:
            print(f"# {line}")
    return good


def roles():
    return set(psql("postgres", "SELECT quote_ident(rolname) FROM pg_roles",
                    "-qAt").stdout.split("\n")) - {""}


def clean_up(database, former_roles):
    """Removes everything that a page has created."""
    must(psql("postgres", f"DROP DATABASE {database};\n"
              "ALTER SYSTEM RESET ALL;\nSELECT pg_reload_conf();", "-q"))
    for role in roles() - former_roles:
        must(psql("postgres", f"DROP ROLE {role}", "-q"))


def run_page(page, number, update, scratch):
    snippets, marks = read_page(page)
    former_roles = roles()
    database = f"documents_{number}"
    lines = page.read_text().split("\n")
    changes, good = [], True
    wanted = [snippet for snippet in snippets if "none" not in snippet.marks]
    if wanted:
        make_database(database, marks.get("database", "shop"))
        wait_for_daemon()
    for snippet in wanted:
        module = snippet.marks.get("needs")
        if module and not has_module(module):
            report(True, f"{snippet.name} without {module}", skip=True)
            continue
        code, output = run_snippet(snippet, database, scratch)
        problem = problem_of(snippet, code, output, lines)
        if update and problem and problem.startswith("not printed"):
            changes.append((snippet, shown(output, snippet.keep,
                                           snippet.cut)))
            problem = None
        good = report(problem is None, snippet.name, problem, output) and good
    for snippet, new in reversed(changes):
        lines[slice(*snippet.output)] = [
            (snippet.indent + line).rstrip() for line in new]
    if changes:
        page.write_text("\n".join(lines))
    if wanted:
        clean_up(database, former_roles)
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    pages = [page.resolve() for page in arguments.pages]
    must(psql("postgres", "DROP DATABASE IF EXISTS documents_shop", "-q"))
    make_template()
    with tempfile.TemporaryDirectory() as scratch:
        results = [run_page(page, number, arguments.update, scratch)
                   for number, page in
                   enumerate(pages or pages_for_readers())]
    must(psql("postgres", "DROP DATABASE documents_shop", "-q"))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
