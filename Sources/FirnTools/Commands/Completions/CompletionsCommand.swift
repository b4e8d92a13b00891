import ArgumentParser

/// `firn completions`: prints what makes a shell complete the command.
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
        // Whoever reads the script has not yet been told what to do with it.
        if environment.outputIsTerminal, !common.quiet { environment.note(shell.installation) }
        return .ok
    }
}
