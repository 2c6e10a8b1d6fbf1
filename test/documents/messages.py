"""messages.py: docs/reference/messages.md has every message, with its
SQLSTATE.

Usage: test/documents/messages.py

Reads the sources: ereport() and elog() in src/, ssdpar_probe_error() in
probe/, ssdpard_log() and ssdpard_fail() in daemon/, RAISE in the install
script.  A message is documented by a table row whose first cell is its text in
code, with anything for what the program fills in, and whose second cell is the
SQLSTATE, or the level in the daemon's log.  A row without a source is an error
too.  PG_CONFIG selects the server whose errcodes.h is used.

Reasons why a star scan or a profile is not used (REASON) are checked as well;
their rows have "-" as the second cell.  Messages that only pass on another one
("%s") are ignored.  Prints one line per message, like snippets.py.
"""
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGE = TOP / "docs" / "reference" / "messages.md"
ROW = re.compile(r"^\| `(.+?)` \| ([^|]*?) \|")
CALL = re.compile(r"\b(ereport|elog|ssdpar_probe_error|ssdpard_log|"
                  r"ssdpard_fail)\s*\(")
DIRECTIVE = re.compile(r"%[-+ #0]*[\d*]*(?:\.\d+)?(?:ll|l|z|h)?[a-zA-Z%]")

# Sentences for EXPLAIN and for ssdpar.device_summary.
REASON = re.compile(r'(?:\breturn|\b(?:problem|reason) =|\] =|ssdpar_note_\w+\(|'
                    r'#define [A-Z_]+|[?:])\s*'
                    r'"([a-z][^"]* [^"]* [^"]*)"')
REASONED = ("src/device", "src/split", "src/star", "src/starscan/plan")

# Sources whose probe messages do not come from ssdpar.calibrate().
PROGRAM_ALONE = ("args.c", "inside_file.c", "main.c", "store.c")
WITHOUT_CODE = {"ERROR": "XX000", "FATAL": "XX000", "WARNING": "01000"}


def closing(text, start):
    """The position after the parenthesis that closes the one before start."""
    depth, at, quoted = 1, start, False
    while depth:
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        else:
            depth += (c == "(") - (c == ")")
        at += 1
    return at


def arguments(text):
    """Split at the commas outside of parentheses and strings."""
    parts, depth, quoted, begin, at = [], 0, False, 0, 0
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
        else:
            depth += (c == "(") - (c == ")")
        at += 1
    return [*parts, text[begin:].strip()]


def literals(text):
    """String literals, adjacent ones joined; a ?: has two."""
    text = re.sub(r'"\s+"', "", text)
    return [re.sub(r'\\(.)', r"\1", found)
            for found in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]


def inside(text, name):
    """The text in the parentheses of name(), or None."""
    match = re.search(rf"\b{name}\s*\(", text)
    return match and text[match.end():closing(text, match.end()) - 1]


class Message:
    def __init__(self, place, text, states):
        self.place = place
        self.text = text
        self.states = states        # any of these; empty: unknown

    def matches(self, documented):
        pattern = "".join(
            re.escape(part) if i % 2 == 0 else ".+?"
            for i, part in enumerate(
                re.split(f"({DIRECTIVE.pattern})", self.text)))
        return re.fullmatch(pattern, documented) is not None


def server_codes():
    header = subprocess.run(
        [os.environ.get("PG_CONFIG", "pg_config"), "--includedir-server"],
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    text = (pathlib.Path(header) / "utils" / "errcodes.h").read_text()
    return {name: "".join(re.findall(r"'(.)'", code)) for name, code in
            re.findall(r"#define (ERRCODE_\w+) MAKE_SQLSTATE\(([^)]*)\)",
                       text)}


def probe_codes(codes):
    """The SQLSTATEs to which calibrate() maps the probe's kinds."""
    text = (TOP / "src" / "device" / "calibration.c").read_text()
    kinds = {kind: codes[name] for kind, name in
             re.findall(r"case (PROBE_\w+):\s*return (ERRCODE_\w+)", text)}
    return kinds, codes[re.search(r"default:\s*return (ERRCODE_\w+)",
                                  text).group(1)]


def of_ereport(call, codes):
    level = arguments(call)[0]
    code = inside(call, "errcode")
    text = inside(call, "errmsg")
    if text is None:
        return
    if code:
        states = [codes.get(code.strip())] if code.strip() in codes else []
    elif "errcode_for_file_access" in call:
        states = ["errno"]
    else:
        states = [WITHOUT_CODE.get(level, "00000")]
    for literal in literals(arguments(text)[0]):
        yield literal, states


def of_probe(call, path, kinds, default):
    _, kind, text = arguments(call)[:3]
    states = [kinds.get(name, default)
              for name in re.findall(r"PROBE_\w+", kind)]
    if path.name in PROGRAM_ALONE:
        states = ["-"]
    for literal in literals(text):
        yield literal, states


def messages():
    codes = server_codes()
    kinds, default = probe_codes(codes)
    for path in sorted(path for folder in ("src", "probe", "daemon")
                       for path in (TOP / folder).rglob("*.c")):
        source = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"),
                        path.read_text(), flags=re.DOTALL)
        for match in CALL.finditer(source):
            call = source[match.end():closing(source, match.end()) - 1]
            name, parts = match.group(1), arguments(call)
            if name == "ereport":
                found = of_ereport(call, codes)
            elif name == "elog":
                found = ((text, [WITHOUT_CODE.get(parts[0], "00000")])
                         for text in literals(parts[1]))
            elif len(parts) < 2 or "const char *" in call:
                continue            # the function itself
            elif name == "ssdpar_probe_error":
                found = of_probe(call, path, kinds, default)
            elif name == "ssdpard_log":
                level = parts[0].rpartition("_")[2].lower()
                found = ((text, [level]) for text in literals(parts[1]))
            else:
                found = ((text, ["error"]) for text in literals(parts[1]))
            place = (f"{path.relative_to(TOP)}:"
                     f"{source[:match.start()].count(chr(10)) + 1}")
            for text, states in found:
                if text != "%s":
                    yield Message(place, text, states)


def script_messages():
    """RAISE LEVEL 'text, % for a value' ... ERRCODE = 'condition'."""
    codes = server_codes()
    for path in [*sorted(TOP.glob("ssdpar--*.sql")),
                 *sorted(TOP.glob("advise/*.sql"))]:
        source = path.read_text()
        for match in re.finditer(r"RAISE (EXCEPTION|NOTICE) '([^']*)'(.*?);\n",
                                 source, re.DOTALL):
            code = re.search(r"ERRCODE = '(\w+)'", match.group(3))
            passed_on = re.search(r"ERRCODE = (\w+)", match.group(3))
            place = (f"{path.name}:"
                     f"{source[:match.start()].count(chr(10)) + 1}")
            yield Message(place, match.group(2).replace("%", "%s"),
                          [codes["ERRCODE_" + code.group(1).upper()]
                           if code else "00000"] if not passed_on else [])


def reasons():
    for folder in REASONED:
        for path in sorted((TOP / folder).glob("*.[ch]")):
            for text in REASON.findall(path.read_text()):
                yield Message(path.relative_to(TOP), text, ["-"])


def all_literals():
    """Also texts passed on by functions that raise messages."""
    for folder in ("src", "probe", "daemon", "common", "test/modules"):
        for path in (TOP / folder).rglob("*.[ch]"):
            for text in literals(path.read_text()):
                yield Message(path, text, [])


def problem_of(message, rows):
    states = [state for text, state in rows if message.matches(text)]
    if not states:
        return f"not documented: {message.text}"
    wanted = set(message.states)
    if wanted and not any(wanted <= set(re.split(r" or |, ", state))
                          for state in states):
        return (f"{message.text}: documented with {states[0]},"
                f" given with {' or '.join(sorted(wanted))}")
    return None


def report(name, problem):
    print(f"{'not ok' if problem else 'ok'} {name}")
    if problem:
        print(f"# {problem}")
    return not problem


def main():
    rows = [match.groups() for match in map(ROW.match,
                                            PAGE.read_text().split("\n"))
            if match]
    given = [*messages(), *script_messages(), *reasons()]
    good = report("messages are found in the sources",
                  None if len(given) > 50 else f"only {len(given)} are")
    for message in given:
        good = report(f"message of {message.place}",
                      problem_of(message, rows)) and good
    every = [*given, *(m for m in all_literals() if len(m.text) > 10)]
    for text, _ in rows:
        if not any(message.matches(text) for message in every):
            good = report("message of the page",
                          f"no source gives it: {text}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
