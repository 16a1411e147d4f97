import { closeLender } from "./mariadb-lender.ts";

export default closeLender;
