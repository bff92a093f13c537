import { writeSync } from 'node:fs';
import { lockDown } from './lock-down.ts';

// Locks itself down and writes the layers that hold on this machine as one line of JSON. It reads nothing.

const [memoryBytes = '0'] = process.argv.slice(2);
const locked = await lockDown({ memoryBytes: Number(memoryBytes), threads: false });
writeSync(1, `${JSON.stringify({ layers: locked.layers })}\n`);
locked.exit(0);
