#!/usr/bin/env python3
"""dtbench and PyTorch on the same networks and cores, measured in turns (A B A B ...) on this machine.

    bench/rivals/side_by_side.py --dtbench build/dtbench --python /path/to/python-with-torch [--json FILE]

Prints one row per model, precision and threads: both step times (median of the turns) and PyTorch / dtbench, above 1
where dtbench is faster. Exit 1 when a row failed. Parameter counts of the two are not compared.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# name: dtbench's options, then PyTorch's; the same network and batch.
CASES = {
    "mlp": ("--model mlp --hidden 1024 --layers 3 --batch-per-replica 128",
            "--model mlp --hidden 1024 --layers 3 --batch 128"),
    "resnet8": ("--model resnet8 --batch-per-replica 128",
                "--model resnet8 --channels 1 --image-size 28 --classes 10 --batch 128"),
    "resnet18": ("--model resnet18 --image-size 64 --batch-per-replica 16",
                 "--model resnet18 --image-size 64 --batch 16"),
    "bert_mini": ("--model bert_mini --batch-per-replica 8", "--model bert --batch 8"),
    "gpt_small": ("--model gpt_small --batch-per-replica 8",
                  "--model gpt --vocab 256 --max-positions 256 --batch 8"),
}


class PyTorch:
    """A process that keeps its network and runs a turn when told to."""

    def __init__(self, python, words, environment):
        command = [python, os.path.join(HERE, "pytorch_step.py"), "--serve", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)
        self.facts = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"PyTorch ended with status {self.process.wait()}")
        return json.loads(line)

    def turn(self):
        self.process.stdin.write("turn\n")
        self.process.stdin.flush()
        return self.answer()["step_seconds"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def dtbench_turns(program, words, precision, threads, turns):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [program, "bench", "engine", *words, "--precision", precision, "--layout", f"1x{threads}",
                   "--repetitions", str(turns), "--quiet", "--json", file.name]
        subprocess.run(command, check=True)
        metric = json.load(open(file.name))["metrics"][0]
    return metric["repetitions"]


def compare(options, case, precision, threads):
    ours, theirs = (words.split() for words in CASES[case])
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    rival = PyTorch(options.python, [*theirs, "--precision", precision, "--threads", str(threads)]
                    + (["--compile"] if options.compile else []), environment)
    mine, other = [], []
    try:
        for _ in range(options.rounds):
            mine += dtbench_turns(options.dtbench, ours, precision, threads, options.turns)
            rival.turn()  # awake again: not counted
            other += [rival.turn() for _ in range(options.turns)]
    finally:
        rival.close()
    return {"case": case, "precision": precision, "threads": threads, "dtbench_seconds": mine,
            "pytorch_seconds": other, "ratio": statistics.median(other) / statistics.median(mine),
            "torch": rival.facts["torch"], "compiled": options.compile}


def spread(seconds):
    """Half the interquartile range over the median, in per cent."""
    low, middle, high = statistics.quantiles(seconds, n=4) if len(seconds) > 1 else [seconds[0]] * 3
    return 50 * (high - low) / middle


def line(row):
    ours, theirs = statistics.median(row["dtbench_seconds"]), statistics.median(row["pytorch_seconds"])
    return (f"{row['case']:<12} {row['precision']:<15} {row['threads']:>7} {1e3 * ours:>9.2f} ms +-{spread(row['dtbench_seconds']):>4.1f} %"
            f" {1e3 * theirs:>9.2f} ms +-{spread(row['pytorch_seconds']):>4.1f} % {row['ratio']:>6.2f}")


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtbench", required=True)
    parser.add_argument("--python", required=True, help="a Python that has torch")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--precisions", default="float32,mixed_bfloat16")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=2, help="how often the two take turns")
    parser.add_argument("--turns", type=int, default=5, help="turns of each in a round")
    parser.add_argument("--compile", action="store_true", help="PyTorch with torch.compile")
    parser.add_argument("--json", help="raw numbers")
    options = parser.parse_args(words)
    for case in options.cases.split(","):
        if case not in CASES:
            parser.error(f"unknown case '{case}'; one of {', '.join(CASES)}")
    return options


def main():
    options = parse(sys.argv[1:])
    rows, failed = [], False
    print(f"{'case':<12} {'precision':<15} threads {'dtbench':>21} {'PyTorch':>21}  PyTorch / dtbench")
    for case in options.cases.split(","):
        for precision in options.precisions.split(","):
            for threads in map(int, options.threads.split(",")):
                try:
                    rows.append(compare(options, case, precision, threads))
                    print(line(rows[-1]), flush=True)
                except (RuntimeError, subprocess.CalledProcessError) as error:
                    failed = True
                    print(f"{case} {precision} {threads}: {error}", file=sys.stderr)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
