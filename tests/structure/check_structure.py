"""Checks the floors of the architecture: no include points up, no include cycle, each library in its folder, tables = folders.

usage: check_structure.py SOURCE_ROOT {includes|tables|layout|headers} [COMPILER ...]
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
RULES = json.loads((ROOT / "tests/structure/floors.json").read_text())
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SOURCES = (".h", ".cpp", ".cu", ".cuh")


def source_files():
    tops = {name.split("/")[0] for name in RULES["folders"]}
    return sorted(p for top in tops for p in (ROOT / top).rglob("*") if p.suffix in SOURCES)


def folder_of(path):
    """The longest rule that contains the file: engine/plan/ops/dense.cpp belongs to engine/plan."""
    name = str(path)
    return max((f for f in RULES["folders"] if name.startswith(f + "/")), key=len, default=None)


def includes_of(path):
    return INCLUDE.findall(path.read_text(errors="replace"))


def check_includes():
    faults, graph = [], {}
    for path in source_files():
        relative = path.relative_to(ROOT)
        mine = folder_of(relative)
        allowed = RULES["folders"][mine]
        graph[str(relative)] = [name for _, name in includes_of(path) if (ROOT / name).is_file()]
        for quote, name in includes_of(path):
            target = folder_of(name) if (ROOT / name).is_file() else None
            if target and target != mine and allowed != ["*"] and target not in allowed:
                faults.append(f"{relative}: includes {name}: {mine} may not know {target}")
            generated = (ROOT / (name + ".in")).is_file()
            if quote == '"' and not target and not generated:
                faults.append(f'{relative}: "{name}" is not a path from the root')
            for library, homes in RULES["libraries"].items():
                belongs = any(mine == home or mine.startswith(home + "/") for home in homes)
                if quote == "<" and name.startswith(library) and not belongs:
                    faults.append(f"{relative}: {library} is used only in {', '.join(homes)}")
    return faults + cycles(graph)


def cycles(graph):
    faults, state = [], {}

    def visit(node, trail):
        state[node] = "open"
        for target in graph.get(node, []):
            if state.get(target) == "open":
                faults.append("include cycle: " + " -> ".join(trail[trail.index(target):] + [target]))
            elif target not in state:
                visit(target, trail + [target])
        state[node] = "done"

    for node in graph:
        if node not in state:
            visit(node, [node])
    return faults


def check_tables():
    faults = []
    for rule in RULES["tables"]:
        table = ROOT / rule["table"]
        text = table.read_text()
        for path in sorted((ROOT / rule["folder"]).glob("*.cpp")):
            if path == table or path.stem in rule.get("not_rows", []):
                continue
            if not re.search(rf"\b\w*{path.stem}\w*\b", text):
                faults.append(f"{path.relative_to(ROOT)}: has no row in {rule['table']}")
    return faults


def check_layout():
    tracked = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    if tracked.returncode != 0:
        print("skipped: not a git checkout")
        sys.exit(77)
    names = tracked.stdout.splitlines()
    faults = [f"{top}: not one of the project's top-level names" for top in sorted({n.split("/")[0] for n in names} - set(RULES["top_level"]))]
    banned = ("utils", "common", "misc", "helpers")
    faults += [f"{n}: a name that says nothing" for n in names if any(part.split(".")[0] in banned for part in n.split("/"))]
    folders = [f for f in RULES["folders"] if (ROOT / f).is_dir()]
    faults += [f"{f}: has no README.md" for f in folders if not (ROOT / f / "README.md").is_file() and f != "tests"]
    return faults


def compile_alone(compiler, header, scratch):
    unit = pathlib.Path(scratch) / (str(header.relative_to(ROOT)).replace("/", "_") + ".cpp")
    unit.write_text(f'#include "{header.relative_to(ROOT)}"\n')
    done = subprocess.run([*compiler, "-std=c++20", "-fsyntax-only", "-fopenmp", f"-I{ROOT}", str(unit)], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header.relative_to(ROOT)} does not compile alone:\n{done.stderr[:800]}"


def check_headers(compiler):
    headers = [p for p in source_files() if p.suffix == ".h"]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for fault in pool.map(lambda h: compile_alone(compiler, h, scratch), headers) if fault]


check = {"includes": check_includes, "tables": check_tables, "layout": check_layout}.get(sys.argv[2]) or (lambda: check_headers(sys.argv[3:]))
found = check()
print("\n".join(found))
sys.exit(1 if found else 0)
