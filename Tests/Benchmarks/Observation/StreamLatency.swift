import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// How long after a commit in one process another process knows of it.
///
///     limit       a word of shared memory is changed and its waiter writes a line
///     callback    a notification block of the object API writes a line
///     stream      a line of `firn observe` can be read
///
/// All three end with a line that this process reads from a pipe; the clock begins when the commit
/// has returned.
struct StreamLatency {
    private let folder: TemporaryFolder
    let firn: String
    let samples: Int

    init(firn: String, samples: Int) {
        folder = TemporaryFolder()
        self.firn = firn
        self.samples = samples
    }

    func table() throws -> String {
        var table = MarkdownTable(["commit returned -> line readable", "median", "min", "p99"])
        let ways: [(String, () throws -> Statistics)] = [
            ("futex and pipe alone", limit), ("callback of the API", callback),
            ("firn observe", stream),
        ]
        for (name, way) in ways {
            Console.note(name)
            let statistics = try way()
            table.add([
                name, Figures.time(statistics.median), Figures.time(statistics.minimum),
                Figures.time(statistics.p99),
            ])
        }
        return table.text
    }

    private func limit() throws -> Statistics {
        let path = folder("word")
        let region = try SystemServices.real.files.sharedRegion(path, .createNew, words: 64)
        let process = try PipedProcess(
            builtExecutable(named: "firn-bench"), ["worker", path, "--watch", "word"])
        _ = try process.line()
        return try measure(process) {
            region.add(1, at: 0)
            region.wake(0)
        }
    }

    private func callback() throws -> Statistics {
        let (path, commit, close) = try database("callback.firn")
        defer { close() }
        let process = try PipedProcess(
            builtExecutable(named: "firn-bench"), ["worker", path, "--watch", "objects"])
        _ = try process.line()
        return try measure(process, commit)
    }

    private func stream() throws -> Statistics {
        let (path, commit, close) = try database("stream.firn")
        defer { close() }
        let process = try PipedProcess(
            firn, ["observe", path, "Person", "--shape", "index", "--initial", "none"])
        _ = try process.line()
        return try measure(process, commit)
    }

    /// A database with some people, of whom one is changed by each commit.
    func database(_ name: String) throws -> (String, () throws -> Void, () -> Void) {
        let path = folder(name)
        let creation = try Store.create(path)
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(People.definition)
        for number in 0..<1_000 { try transaction.create(in: schema.id, People.values(number)) }
        _ = try transaction.commit()
        try creation.publish()
        var options = StoreOptions()
        options.logging = .always
        let store = try Store.open(path, readOnly: false, options: options)
        var number: Int64 = 0
        let commit = {
            number += 1
            let transaction = try store.beginWrite()
            try transaction.set(
                schema.properties[People.ageIndex].id, of: RowID(UInt64(number % 1_000)),
                in: schema.id, to: .int(1_000 + number))
            _ = try transaction.commit()
        }
        try commit()
        return (path, commit, { try? store.close() })
    }

    /// Does something again and again, and waits for the line that it leads to.
    private func measure(
        _ process: PipedProcess, _ work: () throws -> Void
    ) throws -> Statistics {
        var times: [UInt64] = []
        for round in 0..<samples + 20 {
            try work()
            let time = try Stopwatch.time { _ = try process.line() }
            if round >= 20 { times.append(time) }
        }
        process.kill()
        _ = process.finish()
        return Statistics(times) ?? Statistics(constant: 0)
    }
}
