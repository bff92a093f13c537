/** A list of numbers that grows at its end, packed: a call of six hours has a million frames. */
export class GrowingFloats {
  #values = new Float32Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length)
      this.#values = larger(this.#values, new Float32Array(this.#values.length * 2));
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** @param index from 0 to length - 1 */
  at(index: number): number {
    return this.#values[index] as number;
  }
}

/** One mark per frame, 0 until set. */
export class Marks {
  #values = new Uint8Array(4096);

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** Sets the marks from `from` up to, not including, `to`. */
  set(from: number, to: number, mark: number): void {
    while (to > this.#values.length) this.#values = larger(this.#values, new Uint8Array(this.#values.length * 2));
    this.#values.fill(mark, Math.max(0, from), to);
  }
}

function larger<T extends Float32Array | Uint8Array>(values: T, room: T): T {
  room.set(values);
  return room;
}
