/**
 * Runs both in turn (ours, floor, ours, floor, ...), so that what else the machine does meets both alike. The first run
 * of each only warms up and is not counted.
 * @returns what each run returned
 */
export async function interleaved<T>(
  runs: number,
  ours: () => Promise<T>,
  floor: () => Promise<T>,
): Promise<{ ours: T[]; floor: T[] }> {
  await ours();
  await floor();
  const measured: { ours: T[]; floor: T[] } = { ours: [], floor: [] };
  for (let run = 0; run < runs; run += 1) {
    measured.ours.push(await ours());
    measured.floor.push(await floor());
  }
  return measured;
}
