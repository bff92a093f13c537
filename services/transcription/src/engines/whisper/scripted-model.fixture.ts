import { writeFile } from 'node:fs/promises';

/** What the model says in each window of 30 s. Times are within the window, in steps of 20 ms. */
export interface Script {
  says: readonly { startMs: number; endMs: number; text: string }[];
  /** The language it detects in every recording; null makes an English-only model. */
  language: 'en' | 'de' | 'es' | null;
  /** More layers take longer; the real `base` has 6, with a width of 512. */
  audioLayers?: number;
  /** At least the number of tokens in the script and a few; a multiple of 32. */
  width?: number;
}

const MAGIC = 0x67676d6c;
const F32 = 0;
const F16 = 1;
const AUDIO_CONTEXT = 1500;
const TEXT_CONTEXT = 448;
const MELS = 80;
const FFT_BINS = 201;
const LANGUAGES = ['en', 'zh', 'de', 'es'];

/**
 * Writes a small model in the format of whisper.cpp that always says the same. It passes through the real loader and
 * decoder. All weights but three are zero: the position of a token alone decides which token follows it.
 * The format is that of `whisper_model_load`. https://github.com/ggml-org/whisper.cpp/blob/master/src/whisper.cpp
 */
export async function writeScriptedModel(file: string, script: Script): Promise<void> {
  const multilingual = script.language !== null;
  const width = script.width ?? 64;
  const layers = script.audioLayers ?? 1;
  const vocabulary = multilingual ? 51_865 : 51_864;
  const { follow, words } = spell(script);

  const parts: Buffer[] = [];
  const numbers = (...values: number[]) => parts.push(Buffer.from(Int32Array.from(values).buffer));
  const heads = width / 32;
  numbers(MAGIC, vocabulary, AUDIO_CONTEXT, width, heads, layers, TEXT_CONTEXT, width, heads, 1, MELS, F16);
  numbers(MELS, FFT_BINS);
  parts.push(Buffer.alloc(MELS * FFT_BINS * 4));
  numbers(words.length);
  for (const word of words) {
    const bytes = Buffer.from(word);
    numbers(bytes.length);
    parts.push(bytes);
  }

  const tensor = (
    name: string,
    shape: number[],
    type: typeof F32 | typeof F16,
    values?: Float32Array | Uint16Array,
  ) => {
    const label = Buffer.from(name);
    const bytes = shape.reduce((product, n) => product * n, 1) * (type === F32 ? 4 : 2);
    numbers(shape.length, label.length, type, ...shape);
    parts.push(label, values === undefined ? Buffer.alloc(bytes) : Buffer.from(values.buffer));
  };
  const block = (prefix: string, attentions: string[]) => {
    for (const attention of attentions) {
      tensor(`${prefix}.${attention}_ln.weight`, [width], F32);
      tensor(`${prefix}.${attention}_ln.bias`, [width], F32);
      for (const matrix of ['query', 'key', 'value', 'out']) {
        tensor(`${prefix}.${attention}.${matrix}.weight`, [width, width], F16);
        if (matrix !== 'key') tensor(`${prefix}.${attention}.${matrix}.bias`, [width], F32);
      }
    }
    tensor(`${prefix}.mlp_ln.weight`, [width], F32);
    tensor(`${prefix}.mlp_ln.bias`, [width], F32);
    tensor(`${prefix}.mlp.0.weight`, [width, 4 * width], F16);
    tensor(`${prefix}.mlp.0.bias`, [4 * width], F32);
    tensor(`${prefix}.mlp.2.weight`, [4 * width, width], F16);
    tensor(`${prefix}.mlp.2.bias`, [width], F32);
  };

  tensor('encoder.positional_embedding', [width, AUDIO_CONTEXT], F32);
  tensor('encoder.conv1.weight', [3, MELS, width], F16);
  tensor('encoder.conv1.bias', [1, width], F32);
  tensor('encoder.conv2.weight', [3, width, width], F16);
  tensor('encoder.conv2.bias', [1, width], F32);
  tensor('encoder.ln_post.weight', [width], F32);
  tensor('encoder.ln_post.bias', [width], F32);
  for (let layer = 0; layer < layers; layer++) block(`encoder.blocks.${layer}`, ['attn']);

  const { positions, tokens } = weights(follow, width, vocabulary);
  tensor('decoder.positional_embedding', [width, TEXT_CONTEXT], F32, positions);
  tensor('decoder.token_embedding.weight', [width, vocabulary], F16, tokens);
  tensor('decoder.ln.weight', [width], F32, new Float32Array(width).fill(1));
  tensor('decoder.ln.bias', [width], F32);
  block('decoder.blocks.0', ['attn', 'cross_attn']);
  await writeFile(file, Buffer.concat(parts));
}

/** @returns which token follows at which position, and the text of the first tokens of the vocabulary */
function spell({ says, language }: Script): { follow: Map<number, number>; words: string[] } {
  const multilingual = language !== null;
  const endOfText = multilingual ? 50_257 : 50_256;
  const firstLanguage = 50_259;
  const timeZero = multilingual ? 50_364 : 50_363;
  const at = (ms: number) => timeZero + ms / 20;
  // whisper.cpp looks up the blank to suppress it, and aborts the process when a model has none.
  const words: string[] = [' '];
  const spoken = says.flatMap(({ startMs, endMs, text }) => {
    const first = words.length;
    words.push(...text.split(/(?= )/));
    const ids = words.slice(first).map((_, offset) => first + offset);
    return [at(startMs), ...ids, at(endMs)];
  });
  const follow = new Map<number, number>();
  // First come the start token and, in a multilingual model, the language and the task.
  if (multilingual) follow.set(0, firstLanguage + LANGUAGES.indexOf(language));
  const begin = multilingual ? 2 : 0;
  for (const [index, token] of [...spoken, endOfText].entries()) follow.set(begin + index, token);
  return { follow, words };
}

/** Each token of the script has its own direction, and the position before it points there. */
function weights(
  follow: Map<number, number>,
  width: number,
  vocabulary: number,
): { positions: Float32Array; tokens: Uint16Array } {
  const positions = new Float32Array(width * TEXT_CONTEXT);
  const tokens = new Uint16Array(width * vocabulary);
  const distinct = [...new Set(follow.values())];
  if (distinct.length > width)
    throw new Error(`the script has ${distinct.length} different tokens, more than its width of ${width}`);
  for (const [position, token] of follow) positions[position * width + distinct.indexOf(token)] = 100;
  // 4.0 as a half-precision float: a probability of nearly 1 after the layer norm, small beside the position's 100.
  for (const [direction, token] of distinct.entries()) tokens[token * width + direction] = 0x4400;
  return { positions, tokens };
}
