/**
 * Calls an action, as the operator.
 * @param workspaceId the workspace in which to act, where the action acts in one; without it the chosen one
 */
export type Call = <Result>(
  action: string,
  params: Readonly<Record<string, unknown>>,
  workspaceId?: string | undefined,
) => Promise<Result>;

export interface CommandOption {
  /** What stands for the value in the usage: `--email <email>`. */
  readonly value: string;
  readonly required: boolean;
}

/** What an operator typed, by the names that the command gives to it. */
export type CommandArguments = Readonly<Record<string, string | undefined>>;

/** What a command prints: facts on standard output, line by line, and a remark beside them on standard error. */
export interface CommandOutput {
  readonly lines: readonly string[];
  readonly remark?: string;
}

export interface Command {
  /** The words that name it, as in `keys create`. */
  readonly name: string;
  /** Its operands by name: all are required. */
  readonly operands: readonly string[];
  /** Its options by name, without the dashes. */
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly help: string;
  /** The services whose actions it calls, directly or by acting in a workspace. */
  readonly services: readonly string[];
  run(call: Call, given: CommandArguments): Promise<CommandOutput>;
}
