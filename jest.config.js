/** @type {import("jest").Config} */
export default {
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/soak/"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { target: "es2024", parser: { syntax: "typescript" } }, module: { type: "es6" } },
    ],
  },
  testTimeout: 30_000,
  maxWorkers: 2,
};
