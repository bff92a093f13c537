"""Teaches the encoder which words name what is done in an agreed step (decision 0023). The rest of it stays as it is.

  npm run train -- --export calls.jsonl
  python test/quality/train/step_words.py calls.jsonl services/analysis/src/rules/encoder/encoder.onnx

Needs the packages of encoder.py, and three minutes. A logistic regression on what the encoder says of each token learns
from the words that the truth of a call accepts for its next step, in lines near to those that propose or agree to one.
"""
import json
import sys

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper

STRETCH = 192
L2 = 1e-4
ANSWER = 'step'


def without_answer(model):
    """Removes the answer of an earlier training. Returns the name of what the encoder says of each token."""
    nodes = [node for node in model.graph.node if not node.name.startswith(ANSWER)]
    weights = [each for each in model.graph.initializer if not each.name.startswith(ANSWER)]
    outputs = [each for each in model.graph.output if each.name != ANSWER]
    for field, kept in (('node', nodes), ('initializer', weights), ('output', outputs)):
        del getattr(model.graph, field)[:]
        getattr(model.graph, field).extend(kept)
    pool = next(node for node in nodes if 'pool' in node.input)
    return next(name for name in pool.input if name != 'pool')


def examples(model, token_states, calls, begin, separator):
    """Returns what the encoder says of each token near to a step, and whether it names what is done."""
    model.graph.output.append(helper.make_tensor_value_info(token_states, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString())
    del model.graph.output[-1]
    states, truth = [], []
    for call in calls:
        lines, start = call['stepWords'], 0
        if not any(any(line['names'] or []) for line in lines):
            continue
        while start < len(lines):
            ids, places, end = [begin], [], start
            while end < len(lines) and (end == start or len(ids) + len(lines[end]['ids']) + 1 <= STRETCH):
                places.append((len(ids) + 1, lines[end]['names']))
                ids += lines[end]['ids'] + [separator]
                end += 1
            inputs = {'ids': np.array(ids, np.int64), 'pool': np.full((1, len(ids)), 1 / len(ids), np.float32)}
            found = session.run([token_states], inputs)[0]
            for place, names in places:
                if names is not None:
                    states.append(found[place:place + len(names)])
                    truth += names
            start = end
    return torch.from_numpy(np.concatenate(states)), torch.tensor(truth, dtype=torch.float32)


def learned(x, truth):
    """Returns the weights and the bias of a logistic regression with L2."""
    mean, spread = x.mean(0), x.std(0) + 1e-5
    head = torch.nn.Linear(x.shape[1], 1)
    optimizer = torch.optim.LBFGS(head.parameters(), max_iter=60, line_search_fn='strong_wolfe')

    def loss():
        optimizer.zero_grad()
        said = head((x - mean) / spread)[:, 0]
        error = F.binary_cross_entropy_with_logits(said, truth) + L2 * (head.weight ** 2).sum()
        error.backward()
        return error

    optimizer.step(loss)
    weights = (head.weight[0] / spread).detach()
    return weights.numpy(), (head.bias - mean @ weights).detach().numpy()


def main(calls_file, model_file):
    with open(calls_file) as rows:
        header, *calls = map(json.loads, rows)
    model = onnx.load(model_file)
    token_states = without_answer(model)
    x, truth = examples(model, token_states, calls, header['begin'], header['separator'])
    print(f'{len(truth)} tokens, {int(truth.sum())} name a step', flush=True)
    weights, bias = learned(x, truth)
    constant = lambda value, name: numpy_helper.from_array(np.array(value, np.float32, order='C'), name)
    model.graph.initializer.extend([constant(weights[:, None], f'{ANSWER}.w'), constant(bias, f'{ANSWER}.b')])
    for kind, inputs, output in (('MatMul', [token_states, f'{ANSWER}.w'], f'{ANSWER}_product'),
                                 ('Add', [f'{ANSWER}_product', f'{ANSWER}.b'], f'{ANSWER}_sum'),
                                 ('Sigmoid', [f'{ANSWER}_sum'], ANSWER)):
        model.graph.node.append(helper.make_node(kind, inputs, [output], name=f'{ANSWER}_{kind}'))
    model.graph.output.append(helper.make_tensor_value_info(ANSWER, TensorProto.FLOAT, None))
    onnx.save(model, model_file)


if __name__ == '__main__':
    main(*sys.argv[1:])
