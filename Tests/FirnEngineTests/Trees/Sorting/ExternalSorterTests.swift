import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("External sorting")
struct ExternalSorterTests {
    private static let path = "/sorted.firn"

    /// Few different keys, so that the order of equal ones is visible; the values are serial
    /// numbers.
    private static func entries(_ count: Int, seed: UInt64) -> [TreeEntry] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let length = random.happens(oneIn: 30) ? 900 : Int(random.next() % 12)
            let key = random.bytes(length).map { $0 & 3 }
            return TreeEntry(key: key, value: Array("\(index)".utf8))
        }
    }

    private static func sorted(
        _ entries: [TreeEntry], memory: Int, _ services: SystemServices
    ) throws -> (result: [TreeEntry], runCount: Int) {
        var sorter = ExternalSorter(
            beside: path, services: services, memoryByteCount: memory)
        for entry in entries { try sorter.append(entry) }
        let runCount = sorter.spilled.runCount
        var result: [TreeEntry] = []
        try sorter.finish { key, value in
            result.append(TreeEntry(key: Array(key), value: Array(value)))
        }
        return (result, runCount)
    }

    @Test(
        "Equal keys keep their insertion order, with any memory budget",
        arguments: [1, 300, 4_000, 100_000, 1 << 20])
    func budgets(memory: Int) throws {
        let disk = SimulatedFileSystem()
        for seed in 0..<UInt64(2) {
            let entries = ExternalSorterTests.entries(memory == 1 ? 200 : 2500, seed: seed)
            let expected = entries.enumerated().sorted { left, right in
                switch KeyOrder.order(left.element.key, right.element.key) {
                case .less: true
                case .equal: left.offset < right.offset
                case .greater: false
                }
            }.map(\.element)
            let sorting = try ExternalSorterTests.sorted(
                entries, memory: memory, disk.services())
            #expect(sorting.result == expected, "seed \(seed)")
            #expect((sorting.runCount == 0) == (memory == 1 << 20))
            #expect(disk.fileNames.isEmpty)
            #expect(disk.openHandleCount == 0)
        }
    }

    @Test("An empty list of entries and an empty key are sorted")
    func few() throws {
        let services = SimulatedFileSystem().services()
        #expect(try ExternalSorterTests.sorted([], memory: 100, services).result.isEmpty)
        let entries = [TreeEntry(key: [0]), TreeEntry(key: [])]
        #expect(
            try ExternalSorterTests.sorted(entries, memory: 1, services).result
                == Array(entries.reversed()))
    }

    @Test(
        "A disk failure at any operation is an error and leaves no file",
        arguments: [SystemErrno.inputOutput, SystemErrno.diskFull])
    func faults(errno: Int32) throws {
        let entries = ExternalSorterTests.entries(300, seed: 9)
        for ordinal in 0..<10_000 {
            let disk = SimulatedFileSystem()
            disk.plan(
                Fault(.fails(errno: errno), at: ordinal, of: [.create, .write, .read]))
            do {
                _ = try ExternalSorterTests.sorted(entries, memory: 4_000, disk.services())
                #expect(ordinal > 10)
                return
            } catch let error as StoreError {
                #expect(
                    error.code == (errno == SystemErrno.diskFull ? .diskFull : .inputOutput))
            }
            #expect(disk.openHandleCount == 0)
            #expect(disk.fileNames.isEmpty, "operation \(ordinal)")
        }
        Issue.record("the sorting never succeeded")
    }

    /// The file remains in that case, because it could not be removed; nothing was sorted into it.
    @Test("A temporary file whose name cannot be removed is an error")
    func removal() throws {
        let disk = SimulatedFileSystem()
        disk.plan(Fault(.fails(errno: SystemErrno.inputOutput), at: 0, of: [.remove]))
        let entries = ExternalSorterTests.entries(300, seed: 9)
        #expect(throws: StoreError.self) {
            try ExternalSorterTests.sorted(entries, memory: 4_000, disk.services())
        }
        #expect(disk.openHandleCount == 0)
        #expect(!disk.history.contains { $0.kind == .write })
    }

    /// The file is private, but a disk that loses writes must not lose keys without an error.
    @Test("A temporary file that ends early is detected")
    func truncated() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/run.sort", .createNew)
        var run = SortRunWriter(file: file, offset: 0)
        for entry in ExternalSorterTests.entries(300, seed: 9) {
            try entry.key.withUnsafeBytes { key in
                try entry.value.withUnsafeBytes { try run.append(key: key, value: $0) }
            }
        }
        try run.flush()
        for lost in [UInt64(1), 500] {
            try file.truncate(to: run.offset - lost)
            var merge = SortMerge(
                [SortSpill.Run(file: file, offsets: 0..<run.offset)], memoryByteCount: 100)
            let error = #expect(throws: StoreError.self) { try merge.run { _, _ in } }
            #expect(error?.code == .corrupt)
        }
    }
}
