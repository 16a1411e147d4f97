import { openLender } from "./mariadb-lender.ts";

export default openLender;
