import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// The engine, through one store that stays open.
final class FirnCommitter: Committer, Sendable {
    let name = "firn"
    private let path: String
    private let store: Store
    private let person: ClassSchema
    private let progress = Guarded(0)

    /// - Parameter path: the path of a database that is created and populated if it does not exist.
    init(_ path: String) throws {
        self.path = path
        if try SystemServices.real.files.status(of: path) == nil {
            try FirnCommitter.make(path, populationCount: CommitWork.populationCount)
        }
        store = try Store.open(path, readOnly: false)
        guard let person = try store.snapshot().schema.classNamed(People.definition.name) else {
            throw ProgramError("\(path) has no people")
        }
        self.person = person
    }

    private static func make(_ path: String, populationCount: Int) throws {
        try Store.create(path).publish()
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let person = try transaction.addClass(People.definition)
        for number in 0..<populationCount {
            try transaction.create(in: person.id, People.values(number))
        }
        _ = try transaction.commit()
        try store.close()
    }

    func samples(_ work: CommitWork, count: Int) throws -> [UInt64] {
        switch work {
        case .create: try repeated(count, create)
        case .update: try repeated(count, update)
        case .threads: try together(count)
        case .processes: try repeated(count, create)
        case .bulk: try (0..<count).map { _ in try createMany() }
        case .checkpoint: try (0..<count).flatMap { _ in try updatesDuringCheckpoint() }
        case .lookup: try (0..<count).map { _ in try lookUp() }
        case .freeze: try (0..<count).map { _ in try freeze() }
        }
    }

    /// Closes the database, which leaves a single file.
    func close() throws { try store.close() }

    // MARK: Commits

    private func repeated(_ count: Int, _ commit: () throws -> Void) throws -> [UInt64] {
        try (0..<count).map { _ in try Stopwatch.time(commit) }
    }

    /// Creates one object with a key that is unique across threads and processes.
    private func create() throws {
        let transaction = try store.beginWrite()
        let version = try transaction.snapshot().version.rawValue
        try transaction.create(
            in: person.id, People.values(CommitWork.populationCount + Int(version)))
        _ = try transaction.commit()
    }

    private func update() throws {
        let transaction = try store.beginWrite()
        try change(transaction)
        _ = try transaction.commit()
    }

    private func change(_ transaction: WriteTransaction) throws {
        let number = next()
        let key = People.scattered(number, below: CommitWork.populationCount)
        guard let row = try transaction.row(forKey: .int(Int64(key)), in: person.id) else {
            throw ProgramError("\(path) has no person \(key)")
        }
        try transaction.set(
            person.properties[People.ageIndex].id, of: row, in: person.id, to: .int(Int64(number)))
    }

    private func next() -> Int {
        progress.withLock { progress in
            progress += 1
            return progress
        }
    }

    /// - Returns: the elapsed time divided by the commits of all threads.
    private func together(_ count: Int) throws -> [UInt64] {
        let failure = Guarded<(any Error)?>(nil)
        let time = try Stopwatch.time {
            let threads = try (0..<CommitWork.threadCount).map { _ in
                try WorkerThread { [self] in
                    do {
                        for _ in 0..<count { try create() }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
            for thread in threads { thread.join() }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return [time / UInt64(count * CommitWork.threadCount)]
    }

    /// - Returns: the time for each object.
    private func createMany() throws -> UInt64 {
        let path = "\(path)-bulk"
        defer { try? SystemServices.real.files.remove(path) }
        try FirnCommitter.make(path, populationCount: 0)
        let store = try Store.open(path, readOnly: false)
        let time = try Stopwatch.time {
            let transaction = try store.beginWrite()
            for number in 0..<CommitWork.bulkCount {
                try transaction.create(in: person.id, People.values(number))
            }
            _ = try transaction.commit()
        }
        try store.close()
        return time / UInt64(CommitWork.bulkCount)
    }

    private func updatesDuringCheckpoint() throws -> [UInt64] {
        try store.checkpoint()
        let transaction = try store.beginWrite()
        for _ in 0..<CommitWork.backlogCount { try change(transaction) }
        _ = try transaction.commit()
        let outcome = Guarded<Result<Void, any Error>?>(nil)
        let thread = try WorkerThread { [self] in
            let result = Result { () throws -> Void in _ = try store.checkpoint() }
            outcome.withLock { $0 = result }
        }
        var samples: [UInt64] = []
        while outcome.withLock({ $0 == nil }) { samples.append(try Stopwatch.time(update)) }
        thread.join()
        try outcome.withLock { $0 }?.get()
        return samples
    }

    // MARK: Reading

    private func lookUp() throws -> UInt64 {
        let snapshot = try store.snapshot()
        guard let table = snapshot.table(person.id) else { return 0 }
        let time = try Stopwatch.time {
            for _ in 0..<CommitWork.shortWorkCount {
                let key = People.scattered(next(), below: CommitWork.populationCount)
                guard let row = try table.row(forKey: .int(Int64(key))),
                    try table.values(of: row)?.count == person.properties.count
                else { throw ProgramError("\(path) has no person \(key)") }
            }
        }
        return time / UInt64(CommitWork.shortWorkCount)
    }

    private func freeze() throws -> UInt64 {
        let time = try Stopwatch.time {
            for _ in 0..<CommitWork.shortWorkCount { _ = try store.snapshot() }
        }
        return time / UInt64(CommitWork.shortWorkCount)
    }
}
