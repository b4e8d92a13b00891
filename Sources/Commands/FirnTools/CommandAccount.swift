import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// The output of `-v`: the settings, the opened version and the elapsed time of a command.
struct CommandAccount {
    private let environment: CommandEnvironment
    private let startNanoseconds: UInt64

    init(beginning environment: CommandEnvironment) {
        self.environment = environment
        startNanoseconds = environment.services.clock.monotonicNanoseconds()
        guard environment.verbosity > 1 else { return }
        if let configuration = environment.configuration {
            environment.note("settings from \(SafeText.escaping(configuration.path))\n")
        }
        for (name, _) in HelpTopic.variables {
            guard let value = environment.variable(name) else { continue }
            environment.note("\(name) is \(SafeText.escaping(value))\n")
        }
    }

    /// Prints the elapsed time of the whole command, even if it failed.
    func report() {
        guard environment.verbosity > 0 else { return }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- startNanoseconds
        environment.note("done after \(Formatting.time(elapsed))\n")
    }
}
