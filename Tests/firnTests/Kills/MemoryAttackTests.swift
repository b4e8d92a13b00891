import FirnEngine
import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// The shared memory of a log is a file that other programs can write to. The simulated disk tests
/// this at every operation; here it happens to real processes, at any moment.
@Suite("Shared memory that is overwritten under real processes", .serialized)
struct MemoryAttackTests {
    private static let rounds = TestScale.scaled(48)
    private static let attacksPerRound = 60
    private static let blockByteCount = 64

    private let folder = TemporaryFolder()

    @Test(
        "No acknowledged commit is lost without an error, and no process crashes or hangs",
        .timeLimit(.minutes(5 + 5 * TestScale.factor)))
    func attacks() throws {
        let seed = UInt64.random(in: 0..<1_000_000_000)
        var generator = SplitMix64(seed: seed)
        var total = (attacks: 0, commits: 0, ends: 0, refusals: 0)
        for round in 0..<Self.rounds {
            let path = folder("round\(round).firn")
            let crew = try AttackedCrew(path)
            for _ in 0..<Self.attacksPerRound {
                crew.listen(milliseconds: generator.next() % 16)
                crew.remember()
                if crew.attack(Self.blockByteCount, &generator) { total.attacks += 1 }
                if generator.happens(oneIn: 8) { crew.closeOne(&generator) }
                try crew.replaceEnded()
            }
            crew.stopAll()
            if try !crew.keptAll() { total.refusals += 1 }
            #expect(
                crew.breaches == [], "seed \(seed), round \(round)\n\(crew.story.suffix(60))")
            total.commits += crew.commitCount
            total.ends += crew.endCount
        }
        print(
            "overwritten memory, seed \(seed): \(total.attacks) attacks, \(total.commits) commits "
                + "acknowledged, \(total.ends) processes ended with an error, \(total.refusals) of "
                + "\(Self.rounds) databases are refused with an error")
        #expect(total.attacks > Self.rounds)
        #expect(total.commits > Self.rounds)
    }
}

/// Two writers, a checkpointer and an observer of one database, and the acknowledged commits.
private final class AttackedCrew {
    private static let roles: [CrewRole] = [.writer, .writer, .checkpointer]

    private let executable: String
    private let path: String
    private var processes: [PipedProcess] = []
    private var observer: PipedProcess
    private var sequences: [Int: UInt64] = [:]
    /// Copies of the memory from different moments.
    private var copies: [[UInt8]] = []
    private(set) var commitCount = 0
    /// The number of processes that ended with an error.
    private(set) var endCount = 0
    private(set) var breaches: [String] = []
    /// The events of the round, for the analysis of a failure.
    private(set) var story: [String] = []

    init(_ path: String) throws {
        executable = try builtExecutable(named: "firn-stress-worker")
        self.path = path
        try CrewDatabase.create(path, members: Self.roles.count)
        observer = try Self.observe(path)
        for number in Self.roles.indices { processes.append(try start(number)) }
    }

    private func start(_ number: Int) throws -> PipedProcess {
        try PipedProcess(executable, [Self.roles[number].rawValue, path, "\(number)", "\(number)"])
    }

    private static func observe(_ path: String) throws -> PipedProcess {
        try PipedProcess(
            builtExecutable(named: "firn"), ["observe", path, "Entry", "--every-commit", "-q"])
    }

    // MARK: Watching

    func listen(milliseconds: UInt64) {
        let talking = (processes + [observer]).filter(\.isTalking)
        PipedProcess.receive(talking, seconds: Double(milliseconds) / 1000)
        _ = observer.lines()
        for number in processes.indices { hear(number) }
    }

    private func hear(_ number: Int) {
        for line in processes[number].lines() {
            guard case .commit(let sequence, _, _) = CrewMessage(line: line) else { continue }
            sequences[number] = max(sequences[number, default: 0], sequence)
            story.append("\(number): \(line)")
            commitCount += 1
        }
    }

    /// Starts another process in place of each that an attack has ended.
    func replaceEnded() throws {
        for number in processes.indices where !processes[number].isTalking {
            noteEnd(processes[number].finish(), number)
            processes[number] = try start(number)
        }
        guard !observer.isTalking else { return }
        let end = observer.finish()
        if end.signal != nil || end.isTimedOut { breaches.append("observer: \(end)") }
        endCount += 1
        observer = try Self.observe(path)
    }

    private func noteEnd(_ end: CommandResult, _ number: Int) {
        hear(number)
        if end.signal != nil || end.isTimedOut { breaches.append("member \(number): \(end)") }
        if end.status != 0 { endCount += 1 }
        story.append("\(number) ended: \(end.outputText)")
    }

    /// Orders a member to close the database.
    func closeOne(_ generator: inout SplitMix64) {
        processes.randomElement(using: &generator)?.say("stop")
    }

    func stopAll() {
        for process in processes { process.say("stop") }
        for number in processes.indices {
            let end = processes[number].finish(seconds: 60)
            hear(number)
            if end.signal != nil || end.isTimedOut { breaches.append("member \(number): \(end)") }
        }
        observer.send(signal: SIGTERM)
        let end = observer.finish(seconds: 60)
        let isEnded = end.signal == nil || end.signal == SIGTERM
        if !isEnded || end.isTimedOut { breaches.append("observer: \(end)") }
    }

    // MARK: Attacking

    private var memory: String { path + "-shm" }

    /// Keeps a copy of the memory, to put back later.
    func remember() {
        let file = open(memory, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        if count > 0 { copies.append(Array(bytes.prefix(count))) }
    }

    /// Writes random bytes, zeros or an older copy over a block of the memory or all of it.
    ///
    /// - Returns: whether there was memory.
    func attack(_ blockByteCount: Int, _ generator: inout SplitMix64) -> Bool {
        guard let older = copies.randomElement(using: &generator),
            older.count >= blockByteCount
        else { return false }
        let block = Int(generator.next() % UInt64(older.count / blockByteCount)) * blockByteCount
        let range = block..<(block + blockByteCount)
        let kind = generator.next() % 5
        story.append("attack \(kind) at \(block)")
        switch kind {
        case 0: return put(generator.bytes(blockByteCount), at: block)
        case 1: return put([UInt8](repeating: 0, count: blockByteCount), at: block)
        case 2, 3: return put(Array(older[range]), at: block)
        default: return put(older, at: 0)
        }
    }

    private func put(_ bytes: [UInt8], at offset: Int) -> Bool {
        let file = open(memory, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) } > 0
    }

    // MARK: The end

    /// Compares the database with the acknowledged commits.
    ///
    /// - Returns: whether all of them exist; otherwise the database is refused with an error.
    func keptAll() throws -> Bool {
        let state: CrewState
        do {
            let store = try Store.open(path, readOnly: true)
            state = try CrewState(store.snapshot())
        } catch let error as StoreError {
            if error.remedy == nil { breaches.append("no remedy: \(error)") }
            return false
        }
        for (member, last) in sequences where state.sequences[member, default: 0] < last {
            breaches.append(
                "member \(member): \(last) was acknowledged, "
                    + "\(state.sequences[member, default: 0]) is there")
        }
        return true
    }
}
