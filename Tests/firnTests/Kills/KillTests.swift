import FirnEngine
import FirnPlatform
import FirnTesting
import Testing

/// Real processes, killed by the kernel: this finds what a simulation misses.
@Suite("Killed processes", .serialized)
struct KillTests {
    private static let kills = TestScale.scaled(300)
    /// The allowed size of the file beyond a few times its content, which is small: the versions
    /// that it keeps.
    private static let fileBytesMax: UInt64 = 20 << 20
    /// All bytes that readers lock; see the map of locks in the documentation of the format.
    private static let pins = LockRange(start: 1 << 61, length: 1 << 59)

    private let folder = TemporaryFolder()

    @Test(
        "Every acknowledged commit is kept, no process is blocked, and no file is left",
        .timeLimit(.minutes(5 + 5 * TestScale.factor)))
    func crew() throws {
        let path = folder("crew.firn")
        let roles: [CrewRole] = [
            .writer, .writer, .writer, .writer, .checkpointer, .reader, .reader, .compactor,
        ]
        try CrewDatabase.create(path, members: 5)
        let seed = UInt64.random(in: 0..<1_000_000_000)
        let crew = try CrewWatch(roles, path: path, seed: seed)
        var kills = 0
        var largest: UInt64 = 0
        while kills < Self.kills, crew.breaches.isEmpty {
            crew.listen(milliseconds: crew.randomMilliseconds())
            try crew.killOne()
            kills += 1
            // However many died, and whatever locks they held, the file can be used again.
            largest = max(largest, try SystemFileSystem().status(of: path)?.size ?? 0)
            guard largest <= Self.fileBytesMax else {
                Issue.record("\(largest) bytes after \(kills) kills, seed \(seed)")
                break
            }
        }
        // The survivors, and the processes started last, get time to work.
        crew.listen(milliseconds: 500)
        crew.stopAll()
        RunCounters.kills.add(kills)
        RunCounters.commits.add(crew.commitCount)
        print(
            "kills, seed \(seed): \(kills) kills, \(crew.commitCount) commits acknowledged, "
                + "\(crew.foldCount) checkpoints and compactions, \(crew.snapshotCount) snapshots checked, "
                + "\(crew.observerDeaths) observers killed, \(crew.events.count) events, "
                + "longest block \(crew.longestBlock / 1_000_000) ms, "
                + "at most \(largest >> 10) KiB")
        #expect(crew.breaches == [], "seed \(seed)")
        try check(path, crew, seed)
    }

    private func check(_ path: String, _ crew: CrewWatch, _ seed: UInt64) throws {
        #expect(folder.names == ["crew.firn"], "one file at rest, seed \(seed)")
        do {
            let file = try SystemFileSystem().open(path, .readWrite)
            #expect(try file.tryLock(Self.pins, .exclusive), "a pin is left, seed \(seed)")
        }
        let store = try Store.open(path, readOnly: false)
        let state = try CrewState(store.snapshot())
        #expect(crew.sequences.count == 5, "everybody committed, seed \(seed)")
        for (member, last) in crew.sequences {
            #expect(state.sequences[member, default: 0] >= last, "member \(member), seed \(seed)")
        }
        #expect(state.version >= crew.version)
        crew.checkEvents(state.sequences, state.version)
        #expect(crew.breaches == [], "seed \(seed)")
        #expect(!crew.events.isEmpty, "observers were told nothing, seed \(seed)")
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.map(\.message) == [], "seed \(seed)")
        let copied = try #require(
            try store.copy(store.snapshot(), to: folder("copy.firn")) as UInt64?)
        let size = try store.fileStatus().size
        #expect(size <= 4 * copied + Self.fileBytesMax, "seed \(seed), a copy has \(copied)")
        try store.close()
        #expect(folder.names == ["copy.firn", "crew.firn"])
    }
}
