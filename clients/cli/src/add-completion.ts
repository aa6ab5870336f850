import { Argument, type Command } from 'commander';
import { example } from './context.js';

const scripts = {
  bash: (words: string) => `# holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word candidates
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] || path="$path$word "
  done
  candidates=$(printf '%s\\n' "$_holdfast_words" | awk -F: -v path="$path" '$1 == path { print $2 }')
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
_holdfast_words='${words}'
complete -o default -F _holdfast holdfast
`,
  zsh: (words: string) => `#compdef holdfast
# holdfast completion zsh > "\${fpath[1]}/_holdfast"
_holdfast_words='${words}'
_holdfast() {
  local path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] || path="$path$word "
  done
  compadd -- \${(f)"$(printf '%s\\n' "$_holdfast_words" | awk -F: -v path="$path" '$1 == path { gsub(" ", "\\n", $2); print $2 }')"}
}
compdef _holdfast holdfast
`,
} as const;

export function addCompletion(program: Command): void {
  const completion = program
    .command('completion')
    .summary('print the completion script for a shell')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)));
  example(completion, 'source <(holdfast completion bash)').action((shell: keyof typeof scripts) =>
    console.log(scripts[shell](wordsOf(program, '').join('\n'))),
  );
}

/** One line for each command: its path, and what can follow. Read from the commands themselves, so that none is forgotten. */
export function wordsOf(command: Command, path: string): readonly string[] {
  const options = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]));
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const line = `${path}:${[...command.commands.map((each) => each.name()), ...values, ...options, '--help'].join(' ')}`;
  return [line, ...command.commands.flatMap((each) => wordsOf(each, `${path}${each.name()} `))];
}
