import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * A context whose global object is an ordinary one. That of Jest asks a proxy for each global, so that `Math.abs` in a
 * loop over samples takes 200 ns.
 */
export default class extends TestEnvironment {
  constructor(...options) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...options);
    } finally {
      vm.createContext = createContext;
    }
    // Node's arrays of numbers: native modules return them, and JavaScript asks for their class.
    Object.assign(this.global, { Float32Array, BigInt64Array });
  }
}
