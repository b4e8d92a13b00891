import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnQuery
@testable import FirnSyntax

/// Orders with values of many types, and customers that they link to; commits are random.
struct LiveOrders {
    let store: Store
    let order: ClassSchema
    let customer: ClassSchema
    private var generator: SplitMix64
    private var orders: [RowID] = []
    private var customers: [RowID] = []

    init(seed: UInt64, options: StoreOptions = StoreOptions()) throws {
        generator = SplitMix64(seed: seed)
        let creation = try Store.create(
            "/o.firn", services: SimulatedFileSystem().services(entropySeed: seed),
            options: options)
        store = creation.store
        let transaction = try store.beginWrite()
        customer = try transaction.addClass(
            ClassDefinition(
                name: "Customer",
                properties: [
                    .init(name: "country", type: PropertyType(.string, isOptional: true))
                ], keyName: nil))
        order = try transaction.addClass(
            ClassDefinition(
                name: "Order",
                properties: [
                    .init(name: "state", type: PropertyType(.string, isOptional: true)),
                    .init(name: "region", type: PropertyType(.int, isOptional: true)),
                    .init(name: "amount", type: PropertyType(.int, isOptional: true)),
                    .init(name: "total", type: PropertyType(.double, isOptional: true)),
                    .init(name: "price", type: PropertyType(.decimal128, isOptional: true)),
                    .init(
                        name: "customer", type: PropertyType(.link, isOptional: true),
                        targetName: "Customer"),
                ], keyName: nil))
        _ = try transaction.commit()
        try creation.publish()
    }

    func snapshot() throws -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
    }

    func query(_ text: String) throws -> BoundQuery {
        try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot().schema, now: Timestamp(seconds: 0)))
    }

    /// Commits changes.
    func step(_ body: (WriteTransaction) throws -> Void) throws -> LiveStep {
        let old = try snapshot()
        let transaction = try store.beginWrite()
        try body(transaction)
        _ = try transaction.commit()
        let new = try snapshot()
        return LiveStep(
            from: old, to: new, by: try store.changes(from: old.snapshot, to: new.snapshot))
    }

    /// Creates an order.
    @discardableResult
    func create(
        state: String?, amount: Int64? = nil, total: Double? = nil,
        in transaction: WriteTransaction
    ) throws -> RowID {
        try transaction.create(
            in: order.id,
            [
                state.map { .string($0) } ?? .null, .null, amount.map { .int($0) } ?? .null,
                total.map { .double($0) } ?? .null, .null, .null,
            ])
    }

    func set(
        _ name: String, of row: RowID, to value: Value, in transaction: WriteTransaction
    ) throws {
        let property = order.properties.first { $0.name == name }
        guard let property else { return }
        try transaction.set(property.id, of: row, in: order.id, to: value)
    }

    // MARK: Random commits

    /// Commits some random changes.
    mutating func commit() throws {
        let transaction = try store.beginWrite()
        for _ in 0..<Int.random(in: 1...6, using: &generator) { try change(transaction) }
        _ = try transaction.commit()
        if generator.happens(oneIn: 9) { try store.checkpoint() }
    }

    private mutating func change(_ transaction: WriteTransaction) throws {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<4:
            let values = order.properties.map { value(of: $0.name) }
            orders.append(try transaction.create(in: order.id, values))
        case 4..<8:
            guard let row = orders.randomElement(using: &generator),
                let property = order.properties.randomElement(using: &generator)
            else { return }
            try transaction.set(
                property.id, of: row, in: order.id, to: value(of: property.name))
        case 8, 9:
            guard let index = orders.indices.randomElement(using: &generator) else { return }
            try transaction.delete(orders.remove(at: index), in: order.id)
        case 10:
            customers.append(try transaction.create(in: customer.id, [value(of: "country")]))
        default:
            guard let row = customers.randomElement(using: &generator) else { return }
            if generator.happens(oneIn: 3) {
                customers.removeAll { $0 == row }
                return try transaction.delete(row, in: customer.id)
            }
            guard let property = customer.properties.first else { return }
            try transaction.set(property.id, of: row, in: customer.id, to: value(of: "country"))
        }
    }

    /// Doubles are multiples of a quarter, so that their sums are exact in any order.
    private mutating func value(of name: String) -> Value {
        if generator.happens(oneIn: 7) { return .null }
        let number = Int64.random(in: -40...40, using: &generator)
        switch name {
        case "state":
            return .string(["new", "paid", "sent"].randomElement(using: &generator) ?? "new")
        case "country":
            return .string(["no", "ch", "it"].randomElement(using: &generator) ?? "no")
        case "region": return .int(number % 3)
        case "amount": return .int(number)
        case "total":
            if generator.happens(oneIn: 25) { return .double(.nan) }
            if generator.happens(oneIn: 40) { return .double(.infinity) }
            return .double(Double(number) / 4)
        case "price": return .decimal128(Decimal128("\(number).5") ?? Decimal128(number))
        default:
            guard let row = customers.randomElement(using: &generator) else { return .null }
            return .link(ObjectReference(classID: customer.id, rowID: row))
        }
    }
}

extension DatabaseSnapshot {
    /// Returns the values of the rows of a query as texts.
    func texts(of query: BoundQuery) throws -> [String] { try texts(of: rows(query)) }

    func texts(of rows: any ResultRows) throws -> [String] {
        var texts: [String] = []
        while let batch = try rows.next() {
            for row in 0..<batch.rowCount {
                texts.append(batch.vectors.map { "\($0.value(at: row))" }.joined(separator: " "))
            }
        }
        return texts
    }
}

extension LiveValues {
    /// The values of the rows as texts.
    func texts(in snapshot: DatabaseSnapshot) throws -> [String] {
        try snapshot.texts(of: table.rows(Array(0..<table.rowCount)))
    }
}
