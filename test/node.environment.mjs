import { TestEnvironment } from 'jest-environment-node';

/** Node's arrays of numbers instead of those of the sandbox: native modules return them, and JavaScript asks for their class. */
export default class extends TestEnvironment {
  constructor(...options) {
    super(...options);
    Object.assign(this.global, { Float32Array, BigInt64Array });
  }
}
