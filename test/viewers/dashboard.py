"""dashboard.py: monitoring/grafana.json as TypeScript, for Grafana's own
types.

    npm install --ignore-scripts @grafana/schema typescript
    python3 test/viewers/dashboard.py node_modules >check.ts
    npx tsc --noEmit --strict --skipLibCheck --module esnext \\
        --moduleResolution bundler check.ts

tsc reports where the dashboard violates Grafana's types.  The types' enums,
which reject their own values as strings, are relaxed: loose.d.ts is written
next to node_modules.  Not part of ./run check, because it needs packages of
npm.
"""
import json
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
LOOSE = """type Loose<T> = T extends string ? `${T}` : T extends any[] ? T :
    T extends object ? {[K in keyof T]: Loose<T[K]>} : T;"""


def open_enums(text):
    for name in ("FieldColorModeId", "ThresholdsMode"):
        text = re.sub(rf": {name};", f": `${{{name}}}`;", text)
    return re.sub(r": (MappingType\.\w+);", r": `${\1}`;", text)


def main():
    modules = pathlib.Path(sys.argv[1])
    types = modules / "@grafana/schema/dist/types/raw"
    loose = (types / "dashboard/x/types.gen.d.ts").read_text()
    (modules.resolve().parent / "loose.d.ts").write_text(open_enums(loose))
    dashboard = json.loads((TOP / "monitoring/grafana.json").read_text())
    del dashboard["id"]         # null: Grafana assigns one
    print("import type {Dashboard} from './loose';")
    for kind in ("stat", "table", "timeseries"):
        print(f"import type * as {kind} from './{modules}/@grafana/schema/"
              f"dist/types/raw/composable/{kind}/panelcfg/x/types.gen';")
    print(LOOSE)
    print(f"const dashboard: Dashboard = {json.dumps(dashboard)};")
    for number, panel in enumerate(dashboard["panels"]):
        kind, config = panel["type"], panel["fieldConfig"]["defaults"]
        print(f"const options{number}: Loose<{kind}.Options> = "
              f"{json.dumps(panel['options'])};")
        if kind == "timeseries":
            print(f"const field{number}: Loose<{kind}.FieldConfig> = "
                  f"{json.dumps(config['custom'])};")


main()
