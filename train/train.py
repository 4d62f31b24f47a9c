#!/usr/bin/env python3
"""Makes the model of package blocks from what the command train wrote.

    train.py first FEATURES FOLDS [--families FILE]
    train.py second FEATURES FOLDS MODEL [--families FILE]

The first makes the forest that judges single blocks, once for each of five parts of the
pages from the other four, and once from all; and folds.json, which says which page is in
which part. Pages of one site are in one part. FILE has a line for each type of page whose
site does not say where it comes from, and what it comes from, with a tab between: pages
of documentation are kept apart by the program that made them.

It also makes the small forests that tell kinds of pages apart. The second makes the forest
that judges blocks by what the first said of the page, from features that were made with
FOLDS, and writes MODEL with all of them.

Needs LightGBM (pip install lightgbm).
"""
import argparse, hashlib, json, os, re, struct
import lightgbm as lgb
import numpy as np

FOLDS = 5
KINDS = ['manual', 'article', 'forum', 'product', 'collection', 'listing', 'service']  # as in model.go
ONE = 4096  # as in model.go
LEAF = 0xFFFF

# How much the pages of a set count. Small sets that stand for many pages count more.
SETS = {'traf': 2, 'magic_article': 1.5, 'magic_forum': 3, 'zh': 3, 'defuddle': .7, 'harvest': .5}

# How much the pages of a type count, of the set that has several: those that are rare and hard count more.
TYPES = {'wcxb_dev': {'collection': 2, 'listing': 2, 'product': 2, 'forum': 2, 'service': 1.5}}

# How much pages of documentation count for the first forest. The second is not asked about them.
MANUAL = .7

# How much twins of pages count.
VARIANTS = {'wcxb_dev': {'': .6, 'plain': .6, 'nameless': .25}}
VARIANT = {'': 1, 'nameless': .25}

# How much the text of one page counts at most, so that long pages do not rule, and how many of its blocks are looked at.
PAGE = 150
BLOCKS = 250

KIND = dict(rounds=50, num_leaves=6, min_data_in_leaf=20)
FIRST = dict(rounds=150, num_leaves=31, min_data_in_leaf=300)
SECOND = dict(rounds=100, num_leaves=24, min_data_in_leaf=500)


def site(url, otherwise):
    """The registrable domain of an address, near enough."""
    m = re.match(r'https?://([^/:?#]+)', url or '')
    if not m:
        return otherwise
    labels = m.group(1).lower().strip('.').split('.')
    short = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in ('co', 'com', 'org', 'net', 'gov', 'edu', 'ac', 'or', 'ne', 'go')
    return '.'.join(labels[-(3 if short else 2):])


def part(name):
    return int(hashlib.md5((name + '0').encode()).hexdigest(), 16) % FOLDS


def kind(name, type, families):
    """What kind of page it is, None if that is not known."""
    if type in families:
        return 'manual'
    if type in KINDS:
        return type
    return {'magic_forum': 'forum', 'harvest': 'forum', 'aeb': 'article', 'traf': 'article', 'magic_article': 'article'}.get(name)


class Pages:
    """All blocks of all pages: labels, weights, parts; the features are read apart."""

    def __init__(self, folder, families, manual):
        self.sets = sorted(f[:-len('.jsonl')] for f in os.listdir(folder) if f.endswith('.jsonl'))
        chance = np.random.default_rng(1)
        self.folds, labels, weights, parts, beside = {}, [], [], [], []
        self.heads, self.kinds, count = [], [], 0  # the first block of each page, and what kind of page it is
        for name in self.sets:
            self.folds[name] = {}
            for line in open(f'{folder}/{name}.jsonl', encoding='utf-8'):
                page = json.loads(line)
                fold = part(families.get(page['type']) or site(page['url'], name + page['id']))
                self.folds[name][page['id']] = fold
                words = np.array([l['w'] for l in page['labels'] or []], dtype=np.float32)
                matched = np.array([l['m'] for l in page['labels'] or []], dtype=np.float32)
                weight = np.where(matched < 0, 0, np.minimum(words, 60) ** .7)
                if page['unmarked'] or not (matched > 0).any():
                    weight[:] = 0
                weight *= PAGE / max(weight.sum(), PAGE) * SETS.get(name, 1) * TYPES.get(name, {}).get(page['type'], 1)
                weight *= VARIANTS.get(name, VARIANT)[page['variant']] * (manual if page['type'] in families else 1)
                if len(weight) > BLOCKS:
                    left = chance.random(len(weight)) < BLOCKS / len(weight)
                    weight = np.where(left, weight * len(weight) / BLOCKS, 0)
                if len(words):
                    self.heads.append(count)
                    self.kinds.append(kind(name, page['type'], families))
                    count += len(words)
                labels.append(2 * matched >= np.maximum(words, 1))
                weights.append(weight)
                parts.append(np.full(len(words), fold))
                at = np.zeros(len(words), dtype=bool)
                at[page['beside']] = True
                beside.append(at)
        self.labels, self.weights, self.parts, self.beside = (np.concatenate(x) for x in (labels, weights, parts, beside))

    def rows(self, folder, kind, width, use):
        """The features of the blocks to use. Only these are ever in memory as numbers that LightGBM takes."""
        out, at = [], 0
        for name in self.sets:
            rows = np.fromfile(f'{folder}/{name}.{kind}', dtype='<i2').reshape(-1, width)
            out.append(rows[use[at:at + len(rows)]].astype(np.float32))
            at += len(rows)
        return np.concatenate(out)


class Fit:
    def __init__(self, rows, labels, weights, settings):
        self.settings = dict(settings)
        self.rounds = self.settings.pop('rounds')
        self.settings.update(objective='binary', learning_rate=.1, feature_fraction=.4, lambda_l2=1, verbose=-1, num_threads=1, seed=1,
                             deterministic=True, force_row_wise=True, feature_pre_filter=False)
        self.data = lgb.Dataset(rows, labels, weight=weights, params={'max_bin': 127, 'verbose': -1, 'feature_pre_filter': False, 'num_threads': 1})
        self.data.construct()

    def on(self, use):
        data = self.data.subset(np.flatnonzero(use))
        return lgb.train(self.settings, data, self.rounds)


def fixed(value):
    return int(max(-32768, min(32767, round(float(value) * ONE))))


def tree(root):
    """A tree in the order that model.go walks it: the left branch follows its node."""
    out = []

    def add(n):
        if 'leaf_value' in n:
            out.append((LEAF, fixed(n['leaf_value']), 0))
            return
        at = len(out)
        out.append(None)
        add(n['left_child'])
        threshold = int(max(-32768, min(32767, np.floor(n['threshold']))))
        out[at] = (n['split_feature'], threshold, len(out))
        add(n['right_child'])

    add(root)
    return out


def fingerprint(names):
    h = 14695981039346656037
    for byte in ''.join(n + '\n' for n in names).encode():
        h = (h ^ byte) * 1099511628211 % 2**64
    return h


def forest(model, names):
    """A forest as model.go reads it; without a model one that has no trees."""
    trees = [tree(t['tree_structure']) for t in model.dump_model()['tree_info']] if model else []
    out = struct.pack('<QiI', fingerprint(names), 0, len(trees))
    for t in trees:
        out += struct.pack('<H', len(t)) + b''.join(struct.pack('<HhH', *node) for node in t)
    return out


def write(file, first, second):
    with open(file, 'wb') as f:
        f.write(b'trawlbk2' + first + second)
    print(file, os.path.getsize(file), 'bytes', flush=True)


def importance(model, names, most):
    gains = sorted(zip(model.feature_importance('gain'), names), reverse=True)
    total = sum(g for g, _ in gains)
    print(' '.join(f'{n}:{100 * g / total:.1f}' for g, n in gains[:most]), flush=True)


def families(args):
    """The program that made pages of a type, by type."""
    return dict(line.rstrip('\n').split('\t')[:2] for line in open(args.families)) if args.families else {}


def first(args):
    names = json.load(open(f'{args.features}/features.json'))
    pages = Pages(args.features, families(args), MANUAL)
    os.makedirs(args.folds, exist_ok=True)
    json.dump(pages.folds, open(f'{args.folds}/folds.json', 'w'))
    known = pages.weights > 0
    fit = Fit(pages.rows(args.features, 'first', len(names['first']), known), pages.labels[known], pages.weights[known], FIRST)
    kinds = pages.rows(args.features, 'kind', len(names['kind']), np.ones(len(pages.heads), dtype=bool))
    heads = np.array(pages.heads)
    sure = np.array([k is not None for k in pages.kinds])
    fits = [Fit(kinds[sure], np.array([p == k for p in pages.kinds])[sure], np.ones(sure.sum()), KIND) for k in KINDS]
    for k in args.parts:
        model = fit.on(pages.parts[known] != k)
        both = b''.join(forest(f.on(pages.parts[heads][sure] != k), names['kind']) for f in fits) + forest(model, names['first'])
        if k < FOLDS:
            write(f'{args.folds}/{k}.bin', both, forest(None, names['second']))
            continue
        importance(model, names['first'], 400)
        with open(f'{args.folds}/all.first', 'wb') as f:
            f.write(both)


def second(args):
    names = json.load(open(f'{args.features}/features.json'))
    pages = Pages(args.features, families(args), 0)
    seen = ~pages.beside
    labels, weights, parts = pages.labels[seen], pages.weights[seen], pages.parts[seen]
    known = weights > 0
    fit = Fit(pages.rows(args.features, 'second', len(names['second']), known), labels[known], weights[known], SECOND)
    for k in args.parts:
        model = fit.on(parts[known] != k)
        if k < FOLDS:
            file = f'{args.folds}/{k}.bin'
            both = open(file, 'rb').read()
            write(file, both[8:len(both) - second_size(both, names)], forest(model, names['second']))
            continue
        importance(model, names['second'], 100)
        if args.model:
            write(args.model, open(f'{args.folds}/all.first', 'rb').read(), forest(model, names['second']))


def second_size(file, names):
    """How many bytes the second forest of a model has."""
    return len(file) - file.index(struct.pack('<Q', fingerprint(names['second'])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    a = commands.add_parser('first')
    a.add_argument('features')
    a.add_argument('folds')
    a.add_argument('--families')
    a.add_argument('--parts', type=int, nargs='*', default=range(FOLDS + 1), help='which parts to make; 5 is all')
    a.set_defaults(run=first)
    b = commands.add_parser('second')
    b.add_argument('features')
    b.add_argument('folds')
    b.add_argument('model', nargs='?')
    b.add_argument('--families')
    b.add_argument('--parts', type=int, nargs='*', default=range(FOLDS + 1))
    b.set_defaults(run=second)
    args = parser.parse_args()
    args.run(args)


if __name__ == '__main__':
    main()
