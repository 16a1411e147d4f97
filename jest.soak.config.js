import base from "./jest.config.js";

/** @type {import("jest").Config} */
export default {
  ...base,
  testMatch: ["<rootDir>/test/soak/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  testTimeout: 900_000,
  maxWorkers: 1,
};
