import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@Suite("Random operations")
struct ModelTests {
    /// Row groups of eight rows make deep trees, sparse groups and merges with few operations.
    @Test(
        "Random operations leave the content of a dictionary model", arguments: TestScale.seeds(12)
    )
    func againstModel(seed: UInt64) throws {
        var run = ModelRun(seed: seed)
        do {
            try run.run(steps: 60)
            RunCounters.operations.add(run.operationCount)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}

/// One random history on a simulated disk, with its model.
private struct ModelRun {
    private let disk = SimulatedFileSystem()
    private let services: SystemServices
    private var generator: SplitMix64
    private var model = Model()
    private var nextKey = 0
    private(set) var operationCount = 0

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        services = disk.services(entropySeed: seed)
    }

    mutating func run(steps: Int) throws {
        try makeSample("/m.firn", rowCount: 0, services: services, rowsPerGroup: 8)
        var store = try Store.open("/m.firn", readOnly: false, services: services)
        for _ in 0..<steps {
            try transact(store)
            if generator.happens(oneIn: 3) {
                store = try Store.open("/m.firn", readOnly: false, services: services)
            }
            guard try store.contents() == model.rows else {
                throw TestFailure("the contents are not those of the model")
            }
            try expectSound(store)
        }
    }

    private mutating func transact(_ store: Store) throws {
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        var changed = model
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            try operate(transaction, schema, &changed)
            if generator.happens(oneIn: 30) {
                guard try contents(of: transaction.snapshot()) == changed.rows else {
                    throw TestFailure("a transaction does not see what it did")
                }
            }
        }
        if generator.happens(oneIn: 6) {
            transaction.rollback()
        } else {
            _ = try transaction.commit()
            model = changed
        }
    }

    private mutating func operate(
        _ transaction: WriteTransaction, _ schema: ClassSchema, _ model: inout Model
    ) throws {
        operationCount += 1
        let rows = model.rows.keys.sorted()
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5:
            nextKey += 1
            let values = Sample.values(nextKey, salt: Int.random(in: 0..<9, using: &generator))
            try transaction.create(in: schema.id, values)
            model.create(values)
        case 5..<8:
            guard let row = rows.randomElement(using: &generator) else { return }
            let index = Int.random(in: 1..<schema.properties.count, using: &generator)
            let value = Sample.values(Int.random(in: 0..<500, using: &generator))[index]
            try transaction.set(
                schema.properties[index].id, of: RowID(row), in: schema.id, to: value)
            model.rows[row]?[index] = value
        default:
            guard let row = rows.randomElement(using: &generator) else { return }
            try transaction.delete(RowID(row), in: schema.id)
            model.rows[row] = nil
        }
    }
}
