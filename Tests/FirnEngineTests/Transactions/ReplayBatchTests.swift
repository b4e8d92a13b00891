import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Changes that a replay applies to row groups together")
struct ReplayBatchTests {
    private let store: Store
    private let item: ClassSchema

    init() throws {
        store = try ReplayBatchTests.open(rowsPerGroup: 512)
        item = try store.itemClass()
    }

    private static func open(rowsPerGroup: Int) throws -> Store {
        let services = SimulatedFileSystem().services(entropySeed: 9)
        try makeSample("/g.firn", rowCount: 3000, services: services, rowsPerGroup: rowsPerGroup)
        return try Store.open("/g.firn", readOnly: false, services: services)
    }

    /// Small row groups fill many leaves of the directory.
    @Test(
        "Changes applied together have the same result as changes applied one by one",
        arguments: TestScale.seeds(4), [16, 512]
    )
    func equality(seed: UInt64, rowsPerGroup: Int) throws {
        let store = try ReplayBatchTests.open(rowsPerGroup: rowsPerGroup)
        var generator = SplitMix64(seed: seed)
        // Some row groups have marks, and some are rewritten without their deleted rows.
        var deleted = Set(stride(from: UInt64(5), to: 3000, by: 97)).union(1008..<1024)
        let preparation = try store.beginWrite()
        for row in deleted { try preparation.delete(RowID(row), in: item.id) }
        _ = try preparation.commit()
        let base = try store.snapshot()
        let transaction = WriteTransaction(replayingOnto: base)
        var frames: [Frame] = []
        var next: UInt64 = 3000
        for number in 1...40 {
            var operations: [FirnEngine.Operation] = []
            for _ in 0..<Int.random(in: 1...120, using: &generator) {
                let row = UInt64.random(in: 0..<next, using: &generator)
                let values = Sample.values(Int(row), salt: Int(generator.next() % 100))
                let place = Int.random(in: 1..<item.properties.count, using: &generator)
                switch generator.next() % 40 {
                case 0 where deleted.insert(row).inserted:
                    operations.append(.delete(item.id, RowID(row)))
                case 1...4:
                    operations.append(
                        .create(item.id, RowID(next), Sample.values(Int(next), salt: number)))
                    next += 1
                default:
                    guard !deleted.contains(row) else { continue }
                    operations.append(
                        .set(item.id, RowID(row), item.properties[place].id, values[place]))
                }
            }
            var recorded = RecordedOperations()
            for operation in operations {
                try transaction.apply(operation)
                try recorded.append(operation)
            }
            frames.append(frame(recorded, LSN(UInt64(number))))
        }
        let expected = try contents(of: transaction.snapshot())
        #expect(try contents(of: Replay.apply(frames, to: base)) == expected, "seed \(seed)")
        // The same in two parts, the second applied to the result of the first.
        let half = try Replay.apply(Array(frames.prefix(20)), to: base)
        let whole = try Replay.apply(Array(frames.dropFirst(20)), to: half)
        #expect(try contents(of: whole) == expected, "seed \(seed)")
    }

    @Test("A change with a wrong object or kind is damage, and the error names the operation")
    func damage() throws {
        let name = item.properties[1].id
        let good = FirnEngine.Operation.set(item.id, RowID(7), name, .string("x"))
        let wrong: [FirnEngine.Operation] = [
            .set(item.id, RowID(3000), name, .string("x")),
            .set(item.id, RowID(.max), name, .string("x")),
            .set(item.id, RowID(8), name, .int(1)),
            .set(item.id, RowID(8), PropertyID(99), .int(1)),
            .set(ClassID(99), RowID(8), name, .int(1)),
            .create(item.id, RowID(2), Sample.values(9000)),
            .create(item.id, RowID(3000), Sample.values(5)),
            .create(item.id, RowID(3000), [.int(9000)]),
            .create(item.id, RowID(3000), [.int(9000), .null, .null, .null, .null]),
            .create(item.id, RowID(3000), [.int(9000), .int(1), .null, .bool(true), .null]),
        ]
        let base = try store.snapshot()
        for operation in wrong {
            var operations = RecordedOperations()
            for operation in [good, operation, good] { try operations.append(operation) }
            let failure = #expect(throws: StoreError.self, "\(operation)") {
                try Replay.apply([frame(operations, LSN(77))], to: base)
            }
            #expect(failure?.code == .corrupt, "\(operation)")
            #expect(
                failure?.detail.contains("operation 2 of commit 77") == true,
                "\(operation): \(failure?.detail ?? "")")
        }
    }

    @Test("A change to an object that was deleted earlier is damage")
    func deletedObject() throws {
        let name = item.properties[1].id
        var operations = RecordedOperations()
        try operations.append(.delete(item.id, RowID(600)))
        for row: UInt64 in [599, 600, 601] {
            try operations.append(.set(item.id, RowID(row), name, .string("x")))
        }
        let base = try store.snapshot()
        let failure = #expect(throws: StoreError.self) {
            try Replay.apply([frame(operations, LSN(5))], to: base)
        }
        #expect(failure?.detail.contains("operation 3 of commit 5") == true)
    }

    @Test(
        "Changes are sorted by row, and changes to the same row keep their order",
        arguments: [3, 255, 5000]
    )
    func order(count: Int) {
        var generator = SplitMix64(seed: UInt64(count))
        for bound: UInt64 in [1, 50, 1 << 12, 1 << 40, .max] {
            let numbers = (0..<count).map { _ in
                UInt64.random(in: 0..<bound, using: &generator)
            }
            let expected = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
            #expect(RowOrder.ascending(numbers).map(Int.init) == expected)
        }
    }

    private func frame(_ operations: RecordedOperations, _ lsn: LSN) -> Frame {
        Frame(
            kind: .operations, lsn: lsn, durable: .zero, previous: .origin, time: 0, writer: 0,
            operations: operations)
    }
}
