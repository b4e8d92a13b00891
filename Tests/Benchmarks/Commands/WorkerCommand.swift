import ArgumentParser
import FirnEngine

/// `firn-bench worker`: one of several processes that work on a database at the same time under the
/// control of ``CommitterProcess``.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Do what the standard input says.", shouldDisplay: false)

    @Argument(help: "The database.")
    var database: String

    @Option(help: "Make a log of changes or objects, and then wait.")
    var tail: LogTail.Kind?

    @Option(help: "Say a line whenever something changes.")
    var watch: Watcher?

    mutating func run() throws {
        if let watch { return try watch.run(database) }
        if let tail {
            let (store, commits) = try LogTail.make(database, tail)
            Console.say("\(commits)")
            while readLine() != nil {}
            try store.close()
        } else {
            let committer = try FirnCommitter(database)
            while let line = readLine() {
                let words = line.split(separator: " ")
                guard words.count == 2, let work = CommitWork(rawValue: String(words[0])),
                    let count = Int(words[1])
                else { throw ValidationError("not understood: \(line)") }
                let samples = try committer.samples(work, count: count)
                Console.say(samples.map(String.init).joined(separator: " "))
            }
            try committer.close()
        }
    }
}

extension LogTail.Kind: ExpressibleByArgument {}
extension Watcher: ExpressibleByArgument {}
