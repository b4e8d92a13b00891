import ArgumentParser
import FirnFormats

/// `firn completions`: prints a completion script.
struct CompletionsCommand: Subcommand {
    typealias Run = CompletionsRun

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
}

/// One run of `completions`.
struct CompletionsRun: CommandRun {
    private let options: CompletionsCommand
    private let environment: CommandEnvironment

    init(_ options: CompletionsCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
    }

    func run() throws(CommandFailure) -> ExitStatus {
        try environment.print(options.shell.text)
        // A user who reads the script on a terminal may need the installation commands.
        if environment.outputIsTerminal, !options.isQuiet {
            environment.note(options.shell.installation)
        }
        return .ok
    }
}

/// The completion script of a shell: the files of `completions/`, which are embedded in the
/// program.
enum CompletionScript: String, ExpressibleByArgument, CaseIterable {
    case bash
    case zsh
    case fish

    /// The bytes of the file, as packages install it.
    var text: String {
        let bytes =
            switch self {
            case .bash: PackageResources.firn_bash
            case .zsh: PackageResources._firn
            case .fish: PackageResources.firn_fish
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The commands that install the script without a package.
    var installation: String {
        switch self {
        case .bash:
            """
            for this shell:   source <(firn completions bash)
            for every shell:  firn completions bash >~/.local/share/bash-completion/completions/firn

            """
        case .zsh:
            """
            for this shell:   source <(firn completions zsh)
            for every shell:  firn completions zsh >FOLDER/_firn, with FOLDER in $fpath

            """
        case .fish:
            """
            for this shell:   firn completions fish | source
            for every shell:  firn completions fish >~/.config/fish/completions/firn.fish

            """
        }
    }
}
