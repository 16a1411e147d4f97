import { describeOverload } from "../scenarios/describe-overload.ts";
import { newRunner, stage } from "./support/stage.ts";

describeOverload({ area: stage, reading: "GET /v1/data", readingPath: "/v1/data", newRunner });
