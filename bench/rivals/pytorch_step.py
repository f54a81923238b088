#!/usr/bin/env python3
"""Step times of PyTorch for networks that dtbench trains too, on the CPU.

Not part of the product: run by hand with any Python that has torch (2.x). One training step = forward, loss,
backward, momentum SGD on data that is there already; the same work as `dtbench bench engine` measures.

With --serve the process stays and answers each line `turn` on standard input by one line of JSON, the step times of
one turn, so that side_by_side.py can measure it in turns with dtbench. Without, it prints the turns it was asked for.
"""

import argparse
import contextlib
import json
import math
import sys
import time

TURN_SECONDS = 0.1  # kTurnSeconds of bench/measure.h
MOST_STEPS = 200


def build_resnet(torch, depth, image_size, channels, classes):
    """torchvision's ResNet v1.5 of basic blocks (18, 34) or bottlenecks (50), and the CIFAR-like ResNet-8 of dtbench."""
    nn = torch.nn

    def conv(inputs, outputs, size, stride=1):
        return nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)

    class Block(nn.Module):
        def __init__(self, inputs, width, stride, bottleneck):
            super().__init__()
            outputs = 4 * width if bottleneck else width
            if bottleneck:
                layers = [conv(inputs, width, 1), nn.BatchNorm2d(width), nn.ReLU(True), conv(width, width, 3, stride),
                          nn.BatchNorm2d(width), nn.ReLU(True), conv(width, outputs, 1), nn.BatchNorm2d(outputs)]
            else:
                layers = [conv(inputs, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(True),
                          conv(width, width, 3), nn.BatchNorm2d(width)]
            self.body = nn.Sequential(*layers)
            self.short = None
            if stride != 1 or inputs != outputs:
                self.short = nn.Sequential(conv(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

        def forward(self, x):
            return torch.relu(self.body(x) + (x if self.short is None else self.short(x)))

    small = depth == 8
    counts = {8: (1, 1, 1), 18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3)}[depth]
    width = 16 if small else 64
    stem = [conv(channels, width, 3 if small else 7, 1 if small else 2), nn.BatchNorm2d(width), nn.ReLU(True)]
    if not small:
        stem.append(nn.MaxPool2d(3, 2, 1))
    layers, inputs = stem, width
    for stage, count in enumerate(counts):
        for block in range(count):
            layers.append(Block(inputs, width << stage, 2 if stage > 0 and block == 0 else 1, depth >= 50))
            inputs = (width << stage) * (4 if depth >= 50 else 1)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes)]
    return nn.Sequential(*layers)


def build_mlp(torch, inputs, hidden, layers, classes):
    nn = torch.nn
    stack, width = [], inputs
    for _ in range(layers):
        stack += [nn.Linear(width, hidden), nn.ReLU()]
        width = hidden
    return nn.Sequential(*stack, nn.Linear(width, classes))


def build_transformer(torch, options, causal):
    """Encoder layers as BERT has them (norm after, exact gelu) or GPT-2 (norm before, tanh gelu, causal)."""
    nn, functional = torch.nn, torch.nn.functional
    hidden, heads, dropout = options.hidden, options.heads, options.dropout

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
            self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)
            self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)

        def attention(self, x):
            batch, length, _ = x.shape
            q, k, v = (part.view(batch, length, heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
            y = functional.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=causal)
            return functional.dropout(self.out(y.transpose(1, 2).reshape(batch, length, hidden)), dropout)

        def mlp(self, x):
            y = functional.gelu(self.up(x), approximate="tanh" if causal else "none")
            return functional.dropout(self.down(y), dropout)

        def forward(self, x):
            if causal:
                x = x + self.attention(self.norm1(x))
                return x + self.mlp(self.norm2(x))
            x = self.norm1(x + self.attention(x))
            return self.norm2(x + self.mlp(x))

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(options.vocab, hidden)
            self.places = nn.Embedding(options.max_positions, hidden)
            self.layers = nn.ModuleList(Layer() for _ in range(options.layers))
            self.norm = nn.LayerNorm(hidden)
            if not causal:
                self.types = nn.Embedding(2, hidden)
                self.pooler, self.next = nn.Linear(hidden, hidden), nn.Linear(hidden, 2)
                self.transform, self.transform_norm = nn.Linear(hidden, hidden), nn.LayerNorm(hidden)
                self.decoder_bias = nn.Parameter(torch.zeros(options.vocab))

        def forward(self, ids, types, masked):
            x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
            if not causal:
                x = self.norm(x + self.types(types))
            x = functional.dropout(x, dropout)
            for layer in self.layers:
                x = layer(x)
            if causal:
                return self.norm(x) @ self.tokens.weight.T, None
            rows = torch.gather(x, 1, masked.unsqueeze(-1).expand(-1, -1, hidden))
            rows = self.transform_norm(functional.gelu(self.transform(rows)))
            return rows @ self.tokens.weight.T + self.decoder_bias, self.next(torch.tanh(self.pooler(x[:, 0])))

    return Network()


class Step:
    """One training step on fixed data."""

    def __init__(self, torch, options):
        self.torch = torch
        torch.manual_seed(options.seed)
        self.bfloat16 = options.precision == "mixed_bfloat16"
        self.loss = torch.nn.CrossEntropyLoss()
        self.model, self.forward = self.make(torch, options)
        self.parameters = sum(p.numel() for p in self.model.parameters())
        if options.compile:
            self.model = torch.compile(self.model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)

    def make(self, torch, options):
        batch, model = options.batch, options.model
        if model == "mlp":
            x, labels = torch.randn(batch, 784), torch.randint(0, 10, (batch,))
            net = build_mlp(torch, 784, options.hidden, options.layers, 10)
            return net, lambda: self.loss(self.model(x), labels)
        if model.startswith("resnet"):
            x = torch.randn(batch, options.channels, options.image_size, options.image_size)
            x = x.to(memory_format=torch.channels_last)
            labels = torch.randint(0, options.classes, (batch,))
            net = build_resnet(torch, int(model[6:]), options.image_size, options.channels, options.classes)
            return net.to(memory_format=torch.channels_last), lambda: self.loss(self.model(x), labels)
        ids = torch.randint(0, options.vocab, (batch, options.seq_len))
        if model == "gpt":
            labels = torch.randint(0, options.vocab, (batch * options.seq_len,))
            net = build_transformer(torch, options, causal=True)
            return net, lambda: self.loss(self.model(ids, None, None)[0].flatten(0, 1), labels)
        types, masked = torch.zeros_like(ids), torch.randint(0, options.seq_len, (batch, options.predictions))
        words, follows = torch.randint(0, options.vocab, (masked.numel(),)), torch.randint(0, 2, (batch,))
        net = build_transformer(torch, options, causal=False)

        def forward():
            scores, following = self.model(ids, types, masked)
            return self.loss(scores.flatten(0, 1), words) + self.loss(following, follows)

        return net, forward

    def run(self):
        self.optimizer.zero_grad(set_to_none=True)
        autocast = self.torch.autocast("cpu", dtype=self.torch.bfloat16) if self.bfloat16 else contextlib.nullcontext()
        with autocast:
            loss = self.forward()
        loss.backward()
        self.optimizer.step()
        return loss


def warmed_up(step):
    """Runs until steps stop getting faster; the seconds of the last."""
    last = math.inf
    for _ in range(30):
        begin = time.perf_counter()
        loss = step.run()
        seconds = time.perf_counter() - begin
        if seconds > 0.95 * last:
            break
        last = seconds
    if not math.isfinite(float(loss.detach())):
        raise SystemExit("the loss is not finite")
    return seconds


def turn(step, expected):
    count = int(min(MOST_STEPS, max(1, TURN_SECONDS / expected)))
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        step.run()
        times.append(time.perf_counter() - begin)
    times.sort()
    return times[len(times) // 2] if len(times) % 2 else (times[len(times) // 2 - 1] + times[len(times) // 2]) / 2


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="mlp, resnet8, resnet18, resnet34, resnet50, bert or gpt")
    parser.add_argument("--precision", choices=["float32", "mixed_bfloat16"], default="float32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="with torch.compile")
    parser.add_argument("--serve", action="store_true")
    for name, value in {"hidden": 256, "layers": 4, "heads": 4, "seq-len": 128, "vocab": 30522, "max-positions": 512,
                        "predictions": 20, "image-size": 224, "channels": 3, "classes": 1000}.items():
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--dropout", type=float, default=0.1)
    return parser.parse_args(words)


def main():
    options = parse(sys.argv[1:])
    import torch

    torch.set_num_threads(options.threads)
    step = Step(torch, options)
    expected = warmed_up(step)
    if options.serve:
        print(json.dumps({"torch": torch.__version__, "parameters": step.parameters}), flush=True)
        for _ in sys.stdin:
            print(json.dumps({"step_seconds": turn(step, expected)}), flush=True)
        return
    print(json.dumps({"torch": torch.__version__, "parameters": step.parameters,
                      "step_seconds": [turn(step, expected) for _ in range(options.turns)]}))


if __name__ == "__main__":
    main()
