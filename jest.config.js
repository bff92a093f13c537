// Node 24 runs the TypeScript as it stands; jest needs the types stripped for its module loader, which swc does without a build step.
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  testMatch: ['<rootDir>/{libs,services,test}/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/data/'],
  testTimeout: 120_000,
  maxWorkers: 2,
};
