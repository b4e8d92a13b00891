import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues

/// A table with a random history on a simulated disk, and its expected content.
struct RandomTable {
    private(set) var rows: [OracleRow] = []
    private(set) var generator: SplitMix64
    private let pools: [[Value]]
    private let disk = SimulatedFileSystem()
    private let store: Store
    private let classSchema: ClassSchema

    private static let path = "/q.firn"

    /// Row groups of eight rows make many groups with few rows.
    init(seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        var pools: [[Value]] = []
        for column in OracleColumn.names.indices {
            pools.append(RandomValues.pool(column, &generator))
        }
        self.pools = pools
        var options = StoreOptions()
        options.rowsPerGroup = 8
        options.checkpointsInBackground = false
        let creation = try Store.create(
            RandomTable.path, services: disk.services(entropySeed: seed), options: options)
        store = creation.store
        let transaction = try store.beginWrite()
        classSchema = try transaction.addClass(
            ClassDefinition(
                name: "Item",
                properties: zip(OracleColumn.names, OracleColumn.types).map {
                    .init(name: $0, type: $1)
                }, keyName: nil))
        _ = try transaction.commit()
        try creation.publish()
        try commit { table, transaction throws(StoreError) in
            let count = Int.random(in: 0...60, using: &table.generator)
            for _ in 0..<count { try table.create(transaction) }
        }
        try addIndexes(seed: seed)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            try commit { table, transaction throws(StoreError) in try table.change(transaction) }
        }
    }

    /// Adds random indexes to two of three tables, which change no answer.
    private func addIndexes(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed ^ 0x1D)
        let transaction = try store.beginWrite()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let columns = Array(
                OracleColumn.names.indices.shuffled(using: &generator)
                    .prefix(Int.random(in: 1...3, using: &generator)))
            let hasText = columns.contains { OracleColumn.types[$0].base == .string }
            let index = ClassDefinition.Index(
                columns.map { OracleColumn.names[$0] },
                options: hasText && generator.happens(oneIn: 2) ? .caseInsensitive : [])
            do {
                try transaction.addIndex(index, to: classSchema.id)
            } catch {
                // The same index twice.
                guard error.code == .invalidSchema else { throw error }
            }
        }
        _ = try transaction.commit()
    }

    func snapshot() throws -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
    }

    /// The store of another process, which has replayed the log.
    ///
    /// - Parameter statementByteCount: The memory of a statement; `nil` for the usual one.
    func follower(statementByteCount: Int? = nil) throws -> Store {
        var options = StoreOptions()
        if let statementByteCount { options.statementByteCount = statementByteCount }
        return try Store.open(
            RandomTable.path, readOnly: true,
            services: disk.anotherProcess().services(entropySeed: 7), options: options)
    }

    /// Commits some changes. After the first commits of a handle they are only in the log.
    mutating func commitChanges() throws {
        try commit { table, transaction throws(StoreError) in try table.change(transaction) }
    }

    /// Whether the database has a log.
    var hasLog: Bool { disk.fileNames.contains("\(RandomTable.path)-log0") }

    /// Folds the log into pages.
    func checkpoint() throws { try store.checkpoint() }

    private mutating func commit(
        _ body: (inout RandomTable, WriteTransaction) throws(StoreError) -> Void
    ) throws {
        let transaction = try store.beginWrite()
        try body(&self, transaction)
        _ = try transaction.commit()
    }

    /// Changes the table in a transaction that stays open, and returns it.
    mutating func beginChanges() throws -> (WriteTransaction, DatabaseSnapshot) {
        let transaction = try store.beginWrite()
        try change(transaction)
        let snapshot = DatabaseSnapshot(try transaction.snapshot(), now: Timestamp(seconds: 0))
        return (transaction, snapshot)
    }

    private mutating func create(_ transaction: WriteTransaction) throws(StoreError) {
        var values: [Value] = []
        for pool in pools { values.append(pool.randomElement(using: &generator) ?? .null) }
        let id = try transaction.create(in: classSchema.id, values)
        rows.append(OracleRow(id: Int64(clamping: id.rawValue), values: values))
    }

    /// Creates, deletes and changes some objects.
    private mutating func change(_ transaction: WriteTransaction) throws(StoreError) {
        for _ in 0..<Int.random(in: 0...25, using: &generator) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: try create(transaction)
            case 1...3:
                guard let index = rows.indices.randomElement(using: &generator) else { continue }
                try transaction.delete(RowID(UInt64(rows[index].id)), in: classSchema.id)
                rows.remove(at: index)
            default:
                guard let index = rows.indices.randomElement(using: &generator) else { continue }
                let column = Int.random(in: 0..<pools.count, using: &generator)
                let value = pools[column].randomElement(using: &generator) ?? .null
                try transaction.set(
                    classSchema.properties[column].id, of: RowID(UInt64(rows[index].id)),
                    in: classSchema.id, to: value)
                rows[index].values[column] = value
            }
        }
    }

    /// Constants to compare a column with: mostly values of the column.
    mutating func constant(_ column: Int) -> Value {
        if column < 0 { return .int(Int64.random(in: -2...70, using: &generator)) }
        if !generator.happens(oneIn: 3), let value = pools[column].randomElement(using: &generator),
            value != .null
        {
            return value
        }
        return RandomValues.any(OracleColumn.kind(column), &generator)
    }
}

/// Values at boundaries.
enum RandomValues {
    static let ints: [Int64] = [
        .min, .min + 1, -(1 << 53) - 1, -256, -1, 0, 1, 2, 3, 255, 256, 65_536, 1 << 53,
        1 << 53 + 1, .max - 1, .max,
    ]
    static let doubles: [Double] = [
        .nan, -.infinity, -1e300, -9.007199254740993e15, -1.25, -0.0, 0, 2.5e-308, 0.1, 0.25, 1, 2,
        3,
        2.5, 9.007199254740992e15, 9.223372036854775e18, 9.223372036854776e18, 1e300, .infinity,
    ]
    static let prefix = "0123456789abcdef0123456789abcdef"
    static let strings: [String] = [
        "", "a", "A", "ab", "abc", "abc\0", "abcdefg", "abcdefgh", "abcdefgi", "abcdefg\0", "abd",
        "é", "É", "éa", "e\u{301}", "a*b", "a?b", "a\\b", "\"q\"", "名😀", "zzzzzzzzzz",
        prefix, prefix + "x", prefix + "y", prefix + "yz", String(repeating: "k", count: 1_100),
    ]
    static let dates: [Timestamp] = [
        Timestamp(seconds: .min), Timestamp(seconds: .min, nanoseconds: 1),
        Timestamp(seconds: -9_000_000_000), Timestamp(seconds: -8_589_934_592),
        Timestamp(seconds: -8_589_934_591), Timestamp(seconds: -1, nanoseconds: 999_999_999),
        Timestamp(seconds: 0), Timestamp(seconds: 0, nanoseconds: 1), Timestamp(seconds: 1),
        Timestamp(seconds: 86_400), Timestamp(seconds: 8_589_934_591, nanoseconds: 999_999_999),
        Timestamp(seconds: 8_589_934_592), Timestamp(seconds: 9_000_000_000),
        Timestamp(seconds: 9_000_000_000, nanoseconds: 5),
        Timestamp(seconds: .max, nanoseconds: 999_999_999),
    ]

    static func any(_ kind: ValueTag, _ generator: inout SplitMix64) -> Value {
        switch kind {
        case .bool: return .bool(generator.happens(oneIn: 2))
        case .int:
            if generator.happens(oneIn: 2) {
                return .int(Int64.random(in: -9...9, using: &generator))
            }
            return .int(ints.randomElement(using: &generator) ?? 0)
        case .double:
            if generator.happens(oneIn: 2) {
                return .double(Double(Int.random(in: -20...20, using: &generator)) / 4)
            }
            return .double(doubles.randomElement(using: &generator) ?? 0)
        case .string: return .string(strings.randomElement(using: &generator) ?? "")
        default:
            if generator.happens(oneIn: 2) {
                return .date(
                    Timestamp(seconds: Int64.random(in: -3...3, using: &generator) * 3_600))
            }
            return .date(dates.randomElement(using: &generator) ?? Timestamp(seconds: 0))
        }
    }

    /// The values of a column in one table: one, a few or many, with or without null.
    static func pool(_ column: Int, _ generator: inout SplitMix64) -> [Value] {
        let type = OracleColumn.types[column]
        if OracleColumn.names[column] == "nothing" { return [.null] }
        let count = [1, 2, 4, 30][Int.random(in: 0..<4, using: &generator)]
        var pool = (0..<count).map { _ in any(type.base, &generator) }
        if type.isOptional, !generator.happens(oneIn: 5) {
            for _ in 0..<Int.random(in: 1...max(1, count / 2), using: &generator) {
                pool.append(.null)
            }
        }
        return pool
    }
}
