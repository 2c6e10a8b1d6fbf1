"""reference.py: the reference pages agree with the programs and the server.

Usage: test/documents/reference.py

Has the requirements of snippets.py.  Compares, in both directions if there are
two: settings, their defaults and ranges; functions, views, tables and their
columns; the options of --help with the manual pages and with
docs/reference/programs.md, and the values in these two; the properties in
EXPLAIN (FORMAT JSON); and the options and descriptions of ssdsim with their
pages.  Prints one line per comparison, like snippets.py.
"""
import json
import pathlib
import re
import subprocess
import sys

from snippets import HERE, PROFILE, TOP, must, psql

PAGES = TOP / "docs" / "reference"
DATABASE = "documents_reference"
UNITS = {"kB": 1, "MB": 1024, "GB": 1024 ** 2, "ms": 0.001, "s": 1, "min": 60, "h": 3600,
         "d": 86400, "": 1}
# Plans with everything that ssdpar's nodes and groups can show.
EXPLAINED = (
    "SET ssdpar.star_access = bitmap",
    "SET ssdpar.star_access = sequential",
    "SET ssdpar.star_access = auto",
    "SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;"
    " SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;"
    " SET ssdpar.star_access = bitmap",
    "SET max_parallel_workers_per_gather = 2; SET ssdpar.star_scan = off;"
    " SET ssdpar.subqueries = 3; SET ssdpar.partition = dimension",
    "SET ssdpar.prefetch = daemon",
)
QUERY = """EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON)
SELECT s.city, sum(amount) FROM sales JOIN products p USING (product_id)
  JOIN stores s USING (store_id) JOIN days d USING (day_id)
 WHERE p.brand = 'brand 7' AND s.country = 'country 3' AND d.month < 30
 GROUP BY s.city;"""


def page(name):
    return (PAGES / f"{name}.md").read_text()


def query(text):
    result = psql(DATABASE, text, "-qAtF\t")
    must(result)
    return [line.split("\t") for line in result.stdout.splitlines()]


def cells(text, name):
    """The cells of the table row whose first cell is name, in code."""
    match = re.search(rf"^\| `{re.escape(name)}` \|(.*)\|$", text,
                      re.MULTILINE)
    return match and [cell.strip().replace("\\|", "|")
                      for cell in re.split(r"(?<!\\)\|", match.group(1))]


def amount(text):
    """A number with a unit, in the smallest unit; None for a word."""
    match = re.fullmatch(r"([\d.]+) ?(kB|MB|GB|ms|s|min|h|d|)", text.strip())
    return match and float(match.group(1)) * UNITS[match.group(2)]


def setting_problem(row, documented):
    name, kind, unit, least, most, words, default = row
    if documented is None:
        return f"{name} is not there"
    values, said = documented[0], documented[1].strip("`")
    if (amount(said) if kind == "integer" else said) != \
            (amount(default) if kind == "integer" else default):
        return f"{name}: the default is {default}, not {said}"
    if kind == "enum" and values != words.strip("{}").replace(",", ", "):
        return f"{name}: the values are {words}, not {values}"
    if kind == "integer":
        ends = values.replace(" and more", "").split(" to ")
        scale = UNITS.get(unit, 1)
        if amount(ends[0]) != float(least) * scale or (
                len(ends) == 2 and amount(ends[1]) != float(most) * scale):
            return f"{name}: the range is {least} to {most}, not {values}"
    return None


def settings():
    text = page("settings")
    rows = query("SELECT name, vartype, coalesce(unit, ''), min_val, max_val,"
                 " enumvals, boot_val || coalesce(unit, '') FROM pg_settings"
                 " WHERE name LIKE 'ssdpar.%'")
    problems = [setting_problem(row, cells(text, row[0])) for row in rows]
    known = {row[0] for row in rows}
    for name in re.findall(r"^\| `(ssdpar\.\w+)`", text, re.MULTILINE):
        if name not in known:
            problems.append(f"there is no {name}")
    return [problem for problem in problems if problem]


def functions():
    text = page("functions")
    rows = query("""
SELECT proname FROM pg_proc p
 WHERE pronamespace = 'ssdpar'::regnamespace AND prorettype <> 'trigger'::regtype
   AND coalesce(obj_description(oid, 'pg_proc'), '') NOT LIKE 'test aid%'
UNION SELECT relname FROM pg_class
 WHERE relnamespace = 'ssdpar'::regnamespace AND relkind IN ('r', 'v')
UNION SELECT attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
 WHERE relnamespace = 'ssdpar'::regnamespace AND relkind IN ('r', 'v')
   AND attnum > 0
UNION SELECT unnest(proargnames) FROM pg_proc
 WHERE pronamespace = 'ssdpar'::regnamespace AND proname = 'daemon_status'""")
    named = set(re.findall(r"`(?:ssdpar\.)?(\w+)", text))
    problems = [f"{name} is not there" for name, in rows if name not in named]
    present = {name for name, in rows} | {
        name for name, in query("SELECT proname FROM pg_proc WHERE"
                                " pronamespace = 'ssdpar'::regnamespace UNION"
                                " SELECT relname FROM pg_class WHERE"
                                " relnamespace = 'ssdpar'::regnamespace AND"
                                " relkind = 'c'")}
    return problems + [f"there is no ssdpar.{name}" for name in
                       re.findall(r"`ssdpar\.(\w+)(?:\(|`)", text)
                       if name not in present and
                       not cells(page("settings"), f"ssdpar.{name}")]


def keys(value):
    if isinstance(value, dict):
        for key, more in value.items():
            yield key
            yield from keys(more)
    elif isinstance(value, list):
        for more in value:
            yield from keys(more)


def properties():
    """Those that the same statements do not have without ssdpar."""
    with_it, without = set(), set()
    for setup in EXPLAINED:
        for found, more in ((with_it, ""),
                            (without, "SET ssdpar.enabled = off;")):
            result = psql(DATABASE, f"{setup}; {more}\n{QUERY}", "-qAt")
            must(result)
            text = "\n".join(line for line in result.stdout.split("\n")
                             if not line.startswith("psql:"))
            text = text[text.index("["):text.rindex("]") + 1]
            found.update(keys(json.loads(text)))
    named = set(re.findall(r"`([^`\n]+)`", re.sub(
        r"^```.*?^```$", "", page("explain"), flags=re.MULTILINE | re.DOTALL)))
    own = with_it - without
    if not own:
        return ["no statement had a property of ssdpar"]
    return [f"{name} is not there" for name in sorted(own - named)
            if name not in ("Custom Plan Provider",)]


def help_options(program):
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return set(re.findall(r"^  (--[\w-]+)", text, re.MULTILINE)) | {
        "--" + name for name in re.findall(
            r"^  ([a-z]\w*) ", text.partition("Settings,")[2],
            re.MULTILINE)}


def manual_entries(text):
    """The manual page's entry for each option and setting: its heading, and
    the text below it in one line."""
    entries = {}
    for part in text.replace("\\-", "-").split(".TP\n")[1:]:
        heading, _, body = part.partition("\n")
        name = re.match(r"\.(?:BR|BI|B) (?:--)?([a-z][\w-]*)", heading)
        body = re.sub(r"^\.[A-Z]+ ", "", re.split(r"\n\.SH ", body)[0],
                      flags=re.MULTILINE)
        if name:
            entries[name.group(1)] = heading, " ".join(body.split())
    return entries


def value_problems(name, row, entry):
    """Default, range, words, and whether a reload suffices; row: the cells
    after the name in programs.md."""
    heading, body = entry
    values, default = row[:2] if len(row) == 4 else ("", row[0])
    if re.fullmatch(r"[\w./,]+", default) and \
            not re.search(rf"Default: {re.escape(default)}[.,]", body):
        yield f"{name}: the default is {default} in programs.md"
    if re.fullmatch(r"\d+ to \d+", values) and values not in body:
        yield f"{name}: the range is {values} in programs.md"
    if re.fullmatch(r"\w+(, \w+)+", values):
        for word in values.split(", "):
            if not re.search(rf"\b{word}\b", body):
                yield f"{name}: there is a value {word} in programs.md"
    if len(row) == 4 and (row[2] == "no") != heading.endswith(" *"):
        yield f"{name}: a reload is enough in one page, not in the other"


def manual_problems(manual, section):
    """Values in the manual page that differ from programs.md."""
    entries = manual_entries((TOP / "docs" / manual).read_text())
    for name, rest in re.findall(r"^\| `(?:--)?([\w-]+)[^`]*` \|(.*)\|$",
                                 section, re.MULTILINE):
        row = [cell.strip() for cell in rest.split("|")]
        if len(row) > 1 and name in entries:
            for problem in value_problems(name, row, entries[name]):
                yield f"{manual}: {problem}"


def options(program, manual):
    wanted = help_options(program)
    text = (TOP / "docs" / manual).read_text().replace("\\-", "-")
    said = set(re.findall(r"^\.(?:B|BI) (--[\w-]+)", text, re.MULTILINE))
    said |= {"--" + name for name in
             re.findall(r"^\.(?:B|BR) ([a-z]\w*)(?: \*)?$",
                        text.partition(".SH SETTINGS")[2]
                        .partition(".SH SIGNALS")[0], re.MULTILINE)
             if name not in ("auto", "ring", "error", "info")}
    section = page("programs").partition(f"## {program}")[2].partition("\n## ")
    named = {"--" + name.lstrip("-") for name in
             re.findall(r"^\| `(?:--)?([\w-]+)", section[0], re.MULTILINE)}
    problems = []
    for place, found in ((manual, said), ("programs.md", named)):
        problems += [f"{place} lacks {name}" for name in wanted - found]
        problems += [f"{place} has {name}, the program not"
                     for name in found - wanted]
    return problems + list(manual_problems(manual, section[0]))


def simulator():
    """ssdsim's options and the words of descriptions, from its sources."""
    sources = TOP / "bench" / "ssdsim"
    section = page("programs").partition("## ssdsim")[2].partition("\n## ")
    descriptions = (TOP / "docs/internals/benchmarks.md").read_text().partition(
        "### Descriptions")[2].partition("\n### ")[0]
    problems = []
    for place, wanted, found in (
            ("programs.md",
             re.findall(r'^\t"  (--[\w-]+)',
                        (sources / "ssdsim_args.c").read_text(), re.MULTILINE),
             re.findall(r"^\| `(--[\w-]+)", section[0], re.MULTILINE)),
            ("benchmarks.md",
             re.findall(r'^\t\{"([\w-]+)", [A-Z]+, FIELD',
                        (sources / "ssdsim_spec.c").read_text(), re.MULTILINE),
             [name for names in
              re.findall(r"^\| (`.*?`) \|", descriptions, re.MULTILINE)
              for name in re.findall(r"`([\w-]+)`", names)])):
        problems += [f"{place} lacks {name}" for name in wanted
                     if name not in found]
        problems += [f"{place} has {name}, the program not"
                     for name in found if name not in wanted]
    return problems


def report(name, problems):
    print(f"{'not ok' if problems else 'ok'} {name}")
    for problem in problems:
        print(f"# {problem}")
    return not problems


def main():
    must(psql("postgres", f"DROP DATABASE IF EXISTS {DATABASE};"
              f"\nCREATE DATABASE {DATABASE};", "-q"))
    must(psql(DATABASE, "CREATE EXTENSION ssdpar;\n" +
              (TOP / "test" / "invent_device.sql").read_text() +
              (HERE / "shop.sql").read_text() + PROFILE, "-q"))
    results = [
        report("settings", settings()),
        report("functions and views", functions()),
        report("properties of EXPLAIN", properties()),
        report("options of ssdpar-probe",
               options("ssdpar-probe", "ssdpar-probe.1")),
        report("options of ssdpard", options("ssdpard", "ssdpard.8")),
        report("options and descriptions of ssdsim", simulator()),
    ]
    must(psql("postgres", f"DROP DATABASE {DATABASE}", "-q"))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
