import ArgumentParser

/// `firn completions`: prints a completion script.
struct CompletionsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", _superCommandName: "firn",
        abstract: "Print the completion script for bash, zsh or fish.",
        usage: "firn completions SHELL",
        discussion: """
            To load the script into the current shell:
              source <(firn completions bash)
              source <(firn completions zsh)
              firn completions fish | source
            """,
        version: ProgramVersion.text)

    static let usesDefaultFile = false

    @Argument(help: ArgumentHelp("The shell.", valueName: "SHELL"))
    var shell: CompletionScript

    @OptionGroup var common: CommonOptions

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        try environment.print(shell.text)
        // A user who reads the script on a terminal may need the installation commands.
        if environment.outputIsTerminal, !common.quiet { environment.note(shell.installation) }
        return .ok
    }
}
