import FirnEngine
import FirnPlatform
import FirnValues

/// What `-v` says about a command: with which settings it ran, what it opened and what it took.
struct CommandAccount {
    private let surroundings: Surroundings
    private let startNanoseconds: UInt64

    init(beginning surroundings: Surroundings) {
        self.surroundings = surroundings
        startNanoseconds = surroundings.services.clock.monotonicNanoseconds()
        guard surroundings.verbosity > 1 else { return }
        if let configuration = surroundings.configuration {
            surroundings.note("settings of \(SafeText.escaping(configuration.path))\n")
        }
        for (name, _) in HelpTopic.variables {
            guard let value = surroundings.variable(name) else { continue }
            surroundings.note("\(name) is \(SafeText.escaping(value))\n")
        }
    }

    /// Says what the whole command took, also if it failed.
    func tell() {
        guard surroundings.verbosity > 0 else { return }
        let elapsed = surroundings.services.clock.monotonicNanoseconds() &- startNanoseconds
        surroundings.note("done after \(Amounts.time(elapsed))\n")
    }
}

extension Surroundings {
    /// Says which version of a database a command sees, if somebody wants to know.
    func tellOpened(_ file: String, _ snapshot: Snapshot) {
        guard verbosity > 0 else { return }
        var text = "opened \(SafeText.escaping(file)): version \(snapshot.version.rawValue)"
        // A size that cannot be had is no reason to fail where only more was to be said.
        if let status = try? services.files.status(of: file) {
            text += ", \(Amounts.bytes(status.size))"
        }
        note(text + "\n")
    }

    /// The same for a store, of which the newest version is seen.
    func tellOpened(_ file: String, _ store: Store) {
        guard verbosity > 0, let snapshot = try? store.snapshot() else { return }
        tellOpened(file, snapshot)
    }
}
