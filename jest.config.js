// Node 24 runs the TypeScript as it stands; jest needs the types stripped for its module loader, which swc does without
// a build step.
const common = {
  testEnvironment: '<rootDir>/test/node.environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/data/'],
};

/** Tests that need real servers. */
const WITH_SERVERS = '\\.servers\\.test\\.ts$';

/** @type {import('jest').Config} */
export default {
  testTimeout: 120_000,
  // One more than the processors of the smallest machine that runs them: tests of faults wait a good deal.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/longest-first.sequencer.ts',
  reporters: ['default', '<rootDir>/test/guarantees.reporter.ts'],
  projects: [
    {
      ...common,
      displayName: 'alone',
      testMatch: ['<rootDir>/{libs,services,test}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', WITH_SERVERS, '/test/(e2e|gateway|web)/'],
    },
    // Tests that start a whole installation. Some wait for what it has to do within seconds.
    {
      ...common,
      displayName: 'installations',
      testMatch: ['<rootDir>/test/{e2e,gateway,web}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', WITH_SERVERS],
    },
    // The servers are started once for all of them, and only when one of them is to run.
    {
      ...common,
      displayName: 'servers',
      testMatch: ['<rootDir>/{libs,services,test}/**/*.servers.test.ts'],
      globalSetup: '<rootDir>/test/servers/start.ts',
      globalTeardown: '<rootDir>/test/servers/stop.ts',
    },
  ],
};
