#!/usr/bin/env python3
"""Makes the model of package blocks from what the command train wrote.

    train.py FEATURES MODEL [--folds FOLDER]

Needs numpy and scikit-learn (Debian: python3-sklearn). With --folds it also makes one
model for each of five parts of the pages, trained on the other four, and folds.json that
says which page is in which part. Pages of one site are in one part.
"""
import argparse, hashlib, json, os, re, struct
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

FOLDS = 5
ONE = 4096  # as in model.go
LEAF = 0xFFFF

# How much the pages of a set count. Small sets that stand for many pages count more.
SETS = {'traf': 2, 'magic_article': 1.5, 'magic_forum': 3, 'zh': 3, 'defuddle': .7}

# How much the pages of a type count, of the set that has several: those that are rare and hard count more.
TYPES = {'wcxb_dev': {'collection': 2.5, 'listing': 2.5, 'product': 2.5, 'forum': 2, 'service': 1.5}}

# How much the text of one page counts at most, so that long pages do not rule.
PAGE = 150


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


def load(folder):
    names = json.load(open(f'{folder}/features.json'))
    rows, labels, weights, parts, pages = [], [], [], [], {}
    for file in sorted(os.listdir(folder)):
        if not file.endswith('.jsonl'):
            continue
        name = file[:-len('.jsonl')]
        rows.append(np.fromfile(f'{folder}/{name}.i16', dtype='<i2').reshape(-1, len(names)))
        pages[name] = {}
        for line in open(f'{folder}/{file}', encoding='utf-8'):
            page = json.loads(line)
            fold = part(site(page['url'], name + page['id']))
            pages[name][page['id']] = fold
            words = np.array([l['w'] for l in page['labels'] or []], dtype=np.float32)
            matched = np.array([l['m'] for l in page['labels'] or []], dtype=np.float32)
            weight = np.where(matched < 0, 0, np.minimum(words, 60) ** .7)
            if page['unmarked']:
                weight[:] = 0
            weight *= PAGE / max(weight.sum(), PAGE) * SETS.get(name, 1) * TYPES.get(name, {}).get(page['type'], 1)
            labels.append(2 * matched >= np.maximum(words, 1))
            weights.append(weight)
            parts.append(np.full(len(words), fold))
    return names, np.concatenate(rows), np.concatenate(labels), np.concatenate(weights), np.concatenate(parts), pages


def fit(rows, labels, weights):
    model = HistGradientBoostingClassifier(max_iter=150, learning_rate=.1, max_leaf_nodes=31, min_samples_leaf=40, l2_regularization=1,
                                           early_stopping=False, random_state=1)
    return model.fit(rows, labels, sample_weight=weights)


def fixed(value):
    return int(max(-32768, min(32767, round(float(value) * ONE))))


def tree(nodes):
    """A tree in the order that model.go walks it: the left branch follows its node."""
    out = []

    def add(i):
        n = nodes[i]
        if n['is_leaf']:
            out.append((LEAF, fixed(n['value']), 0))
            return
        at = len(out)
        out.append(None)
        add(n['left'])
        out[at] = (int(n['feature_idx']), int(np.floor(n['num_threshold'])), len(out))
        add(n['right'])

    add(0)
    return out


def fingerprint(names):
    h = 14695981039346656037
    for byte in ''.join(n + '\n' for n in names).encode():
        h = (h ^ byte) * 1099511628211 % 2**64
    return h


def write(model, names, file):
    trees = [tree(stage[0].nodes) for stage in model._predictors]
    with open(file, 'wb') as f:
        f.write(b'trawlbk1' + struct.pack('<QiI', fingerprint(names), round(float(model._baseline_prediction.ravel()[0]) * ONE), len(trees)))
        for t in trees:
            f.write(struct.pack('<H', len(t)))
            for feature, threshold, right in t:
                f.write(struct.pack('<HhH', feature, threshold, right))
    print(file, len(trees), 'trees', os.path.getsize(file), 'bytes')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('features')
    parser.add_argument('model')
    parser.add_argument('--folds')
    args = parser.parse_args()
    names, rows, labels, weights, parts, pages = load(args.features)
    if args.folds:
        os.makedirs(args.folds, exist_ok=True)
        json.dump(pages, open(f'{args.folds}/folds.json', 'w'))
        for k in range(FOLDS):
            use = (parts != k) & (weights > 0)
            write(fit(rows[use], labels[use], weights[use]), names, f'{args.folds}/{k}.bin')
    use = weights > 0
    write(fit(rows[use], labels[use], weights[use]), names, args.model)


if __name__ == '__main__':
    main()
