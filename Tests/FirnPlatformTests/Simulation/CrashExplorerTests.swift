import FirnPlatform
import FirnTesting
import Testing

/// The smallest possible store: a counter that is replaced as a whole.
///
/// Each of its steps can be left out, which is a bug that the explorer must find.
struct CounterStore {
    enum Omission: CaseIterable {
        case nothing
        case dataSync
        case folderSync
        case rename
    }

    let omission: Omission
    let disk: SimulatedFileSystem

    func create() throws {
        let file = try disk.open("/counter", .createNew)
        try file.put(bytes(0), at: 0)
        try file.sync(.full)
        try disk.syncDirectory(holding: "/counter")
    }

    /// Large enough to be torn.
    private func bytes(_ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: 2000) }

    func store(_ value: UInt8) throws {
        if omission == .rename {
            let file = try disk.open("/counter", .readWrite)
            try file.put(bytes(value), at: 0)
            try file.sync(.data)
            return
        }
        let file = try disk.open("/counter-new", .createNew)
        try file.put(bytes(value), at: 0)
        if omission != .dataSync { try file.sync(.data) }
        try disk.rename("/counter-new", to: "/counter", replacing: true)
        if omission != .folderSync { try disk.syncDirectory(holding: "/counter") }
    }

    func recover() throws {
        guard try disk.status(of: "/counter-new") != nil else { return }
        try disk.remove("/counter-new")
        try disk.syncDirectory(holding: "/counter")
    }

    struct Damage: Error {}

    func load() throws -> UInt8 {
        let content = try disk.open("/counter", .readOnly).get(3000)
        guard let first = content.first, content == bytes(first) else { throw Damage() }
        return first
    }
}

@Suite("The crash explorer")
struct CrashExplorerTests {
    private struct Lost: Error {}

    private func explore(
        _ omission: CounterStore.Omission, only: CrashPoint? = nil
    ) throws -> CrashExplorer.Report {
        try CrashExplorer("counter without \(omission)").explore(
            of: UInt8.self, only: only,
            setup: { try CounterStore(omission: omission, disk: $0).create() },
            workload: { disk, journal in
                let store = CounterStore(omission: omission, disk: disk)
                for value in UInt8(1)...4 { try journal.perform(value) { try store.store(value) } }
            },
            recover: { try CounterStore(omission: omission, disk: $0).recover() },
            verify: { disk, journal in
                let store = CounterStore(omission: omission, disk: disk)
                try store.recover()
                let value = try store.load()
                guard value >= journal.acknowledged.last ?? 0, value <= journal.begun.last ?? 0
                else { throw Lost() }
                try store.store(9)
                guard try store.load() == 9 else { throw Lost() }
            })
    }

    @Test("A correct store survives every crash")
    func correct() throws {
        let report = try explore(.nothing)
        // Four values of create, write, sync, rename, sync; every write in two parts; the end.
        #expect(report.operations == 20)
        #expect(report.points == 20 + 4 + 1)
        #expect(report.images >= report.points * 8)
    }

    @Test(
        "Every missing sync is found, and the failure can be reproduced",
        arguments: CounterStore.Omission.allCases.filter { $0 != .nothing })
    func omissions(_ omission: CounterStore.Omission) throws {
        let failure = try #require(throws: CrashFailure.self) { try explore(omission) }
        let again = try #require(throws: CrashFailure.self) {
            try explore(omission, only: failure.point)
        }
        #expect(again.point == failure.point)
        #expect("\(again.reason)" == "\(failure.reason)")
        #expect(failure.description.contains("only: \(failure.point)"))
    }

    @Test("An error of the workload itself is not mistaken for a crash")
    func ownErrors() {
        #expect(throws: Lost.self) {
            try CrashExplorer("own error").explore(
                of: Int.self, setup: { _ in }, workload: { _, _ in throw Lost() },
                verify: { _, _ in })
        }
    }

    @Test("A long workload is explored at evenly spaced moments")
    func selection() throws {
        var explorer = CrashExplorer("long", randomImages: 0)
        explorer.pointsMax = 10
        let report = try explorer.explore(
            of: Int.self, setup: { $0.setContents(of: "/x", to: []) },
            workload: { disk, _ in
                let file = try disk.open("/x", .readWrite)
                for _ in 0..<100 { try file.sync(.data) }
            }, verify: { _, _ in })
        #expect(report.operations == 100 && report.points == 10 && report.images == 30)
    }
}
