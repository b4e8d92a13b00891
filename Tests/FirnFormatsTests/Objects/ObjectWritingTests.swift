import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats

@Suite("Objects, links and collections in results")
struct ObjectWritingTests {
    @Test("A link is the key of its target, or its number if the class has no key")
    func keys() throws {
        let rows: [[Value]] = [
            [ref(.dog, 0), ref(.house, 7), ref(.tag, 0)], [.null, .null, .null],
            [ref(.dog, 1), ref(.house, 9), ref(.tag, 1)],
        ]
        let types = [
            SampleObjects.link(SampleObjects.dog), SampleObjects.link(SampleObjects.house),
            SampleObjects.link(SampleObjects.tag),
        ]
        #expect(
            try json(types, rows) == """
                {"a":"Rex","b":7,"c":"00000000-0000-0000-0000-000000000001"}
                {"a":null,"b":null,"c":null}
                {"a":"A\\"b","b":9,"c":{"$ref":"Tag","id":null}}

                """)
        let csv = try written(types, rows, style: .plain) { CSVWriter($0) }
        #expect(
            csv == """
                a,b,c
                Rex,7,00000000-0000-0000-0000-000000000001
                ,,
                "A""b",9,"{""$ref"":""Tag"",""id"":null}"

                """)
        let strings = try json(types, rows, quotesInt64: true)
        #expect(strings.hasPrefix("{\"a\":\"Rex\",\"b\":\"7\","))
    }

    @Test("Collections, Any and embedded objects are JSON, even in a cell")
    func collections() throws {
        let types = [
            PropertyType(.int, container: .list),
            PropertyType(.float, isOptional: true, container: .set),
            PropertyType(.link, isOptional: true, container: .map, target: SampleObjects.dog),
            PropertyType(.any, isOptional: true), SampleObjects.link(SampleObjects.address),
        ]
        let rows: [[Value]] = [
            [
                .list([.int(1), .int(-2)]), .set([.null, .float(0.1), .float(.infinity)]),
                .map(["k": ref(.dog, 0), "j": .null]), .list([ref(.dog, 1), .double(2)]),
                ref(.address, 3),
            ],
            [.list([]), .set([]), .map([:]), .null, .null],
        ]
        #expect(
            try json(types, rows) == """
                {"a":[1,-2],"b":[null,0.1,"Infinity"],"c":{"j":null,"k":"Rex"},\
                "d":[{"$ref":"Dog","id":"A\\"b"},{"$type":"double","value":2.0}],\
                "e":{"city":"Oslo","since":"1970-01-02"}}
                {"a":[],"b":[],"c":{},"d":null,"e":null}

                """)
        let tsv = try written(types, rows, style: .plain) { TSVWriter($0) }
        #expect(
            tsv.contains(
                "[1,-2]\t\"[null,0.1,\"\"Infinity\"\"]\"\t\"{\"\"j\"\":null,\"\"k\"\":\"\"Rex\"\"}\"\t"
            ))
        let raw = try written([types[0]], rows.map { [$0[0]] }, style: .plain) {
            RawWriter($0, WriterOptions(), endsWithNUL: false)
        }
        #expect(raw == "[1,-2]\n[]\n")
        let table = try written(types, rows, style: .plain) { TableWriter($0, TableOptions()) }
        #expect(table.contains("│ {\"j\":null,\"k\":\"Rex\"} │"))
    }

    @Test("Linked levels are written as objects, and an object inside itself is written as its key")
    func depth() throws {
        let types = [SampleObjects.link(SampleObjects.dog)]
        let rows = [[ref(.dog, 0)], [ref(.dog, 1)]]
        let other = "{\"name\":\"A\\\"b\",\"friend\":\"Rex\",\"home\":null}"
        let house =
            "{\"$id\":7,\"dogs\":[\"Rex\",\"A\\\"b\"],\"at\":{\"city\":\"Oslo\",\"since\":\"1970-01-02\"}}"
        #expect(
            try json(types, rows, depth: 1)
                == "{\"a\":{\"name\":\"Rex\",\"friend\":\"A\\\"b\",\"home\":7}}\n"
                + "{\"a\":\(other)}\n")
        #expect(
            try json(types, rows, depth: 2)
                == "{\"a\":{\"name\":\"Rex\",\"friend\":\(other),\"home\":\(house)}}\n"
                + "{\"a\":{\"name\":\"A\\\"b\",\"friend\":{\"name\":\"Rex\",\"friend\":\"A\\\"b\","
                + "\"home\":7},\"home\":null}}\n")
        // At greater depth there are only objects inside themselves, so the text does not grow.
        #expect(try json(types, rows, depth: 32) == json(types, rows, depth: 8))
    }

    @Test("Objects are looked up once per batch and property, however many there are")
    func batches() throws {
        let lookup = SampleObjects.lookup()
        for row in 0..<500 {
            lookup.objects[SampleObjects.dog]?[RowID(UInt64(row))] = [
                .string("\(row)"), ref(.dog, UInt64((row * 7) % 500)), ref(.house, 7),
            ]
        }
        let rows = (0..<1000).map { [ref(.dog, UInt64($0 % 500))] }
        _ = try written(
            [SampleObjects.link(SampleObjects.dog)], rows, depth: 1, lookup: lookup, style: .json
        ) { JSONWriter($0, .lines) }
        // Name, friend and home of the dogs, and the keys of their friends.
        #expect(lookup.calls == 4)
    }

    @Test("A result without links and collections is passed through")
    func unchanged() throws {
        let lookup = SampleObjects.lookup()
        #expect(
            try written([PropertyType(.int)], [[.int(1)]], lookup: lookup, style: .json) {
                JSONWriter($0, .array)
            } == "[\n{\"a\":1}\n]\n")
        #expect(lookup.calls == 0)
    }

    @Test("$class comes first on request")
    func classNames() throws {
        var options = WriterOptions()
        options.className = "Dog"
        let text = try written([PropertyType(.int)], [[.int(1)]], style: .json) {
            JSONWriter($0, .lines, options)
        }
        #expect(text == "{\"$class\":\"Dog\",\"a\":1}\n")
    }
}

@Suite("Values converted to JSON and back")
struct ValueRoundTripTests {
    @Test(
        "Random values of every type round-trip, and so does their JSON", arguments: [false, true])
    func roundTrips(quotesInt64: Bool) throws {
        let seed: UInt64 = 0xF1
        var generator = SplitMix64(seed: seed)
        for type in RandomValue.types {
            let values = (0..<60).map { _ in RandomValue.value(type, &generator) }
            let text = try json([type], values.map { [$0] }, quotesInt64: quotesInt64)
            var read: [Value] = []
            for tree in try trees(text) {
                let tree = try #require(tree["a"])
                read.append(
                    try JSONValueReader.read(tree, as: type).value(resolving: resolve))
            }
            #expect(read == values, "\(type.name), seed \(seed)")
            #expect(try json([type], read.map { [$0] }, quotesInt64: quotesInt64) == text)
        }
    }

    /// The dogs of the sample by their names, houses by their numbers.
    private func resolve(_ link: JSONLink) throws -> Value {
        switch link.form {
        case .key(let tree), .reference("Dog", let tree), .reference("House", let tree):
            switch try JSONValueReader.read(
                JSONTree(tree.content, at: tree.position), as: PropertyType(.any)
            ).value(resolving: resolve) {
            case .string("Rex"): return ref(.dog, 0)
            case .string("A\"b"): return ref(.dog, 1)
            case .int(7), .string("7"): return ref(.house, 7)
            default: break
            }
        case .reference("Tag", let tree):
            // The second tag has no key.
            if case .null = tree.content { return ref(.tag, 1) }
        default: break
        }
        Issue.record("not a link of the sample: \(link)")
        return .null
    }
}

private enum SampleClass { case dog, house, address, tag }

private func ref(_ kind: SampleClass, _ row: UInt64) -> Value {
    switch kind {
    case .dog: SampleObjects.reference(SampleObjects.dog, row)
    case .house: SampleObjects.reference(SampleObjects.house, row)
    case .address: SampleObjects.reference(SampleObjects.address, row)
    case .tag: SampleObjects.reference(SampleObjects.tag, row)
    }
}

private func json(
    _ types: [PropertyType], _ rows: [[Value]], depth: Int = 0, quotesInt64: Bool = false
) throws -> String {
    var options = WriterOptions()
    options.quotesInt64 = quotesInt64
    return try written(types, rows, depth: depth, quotesInt64: quotesInt64, style: .json) {
        JSONWriter($0, .lines, options)
    }
}

/// The output of a writer for rows with columns called a, b, c...
private func written(
    _ types: [PropertyType], _ rows: [[Value]], depth: Int = 0, quotesInt64: Bool = false,
    lookup: MemoryLookup = SampleObjects.lookup(), style: LinkStyle,
    _ make: (any ByteSink) -> any ResultWriter
) throws -> String {
    let names = ["a", "b", "c", "d", "e"]
    let columns = zip(names, types).map { ResultColumn(name: $0, type: $1, display: nil) }
    var vectors = types.map { ColumnVector(of: $0) }
    for row in rows {
        for (index, value) in row.enumerated() { vectors[index].append(value) }
    }
    var options = ValueOptions()
    options.depth = depth
    options.quotesInt64 = quotesInt64
    options.linkStyle = style
    let resolver = ResultResolver(columns, lookup: lookup, options)
    let sink = MemorySink()
    let writer = make(sink)
    #expect(writer.linkStyle == style)
    try writer.begin(resolver.columns)
    try writer.write(resolver.resolve(ResultBatch(rowCount: rows.count, vectors: vectors)))
    try writer.finish()
    return sink.text
}

private enum RandomValue {
    static let types: [PropertyType] = {
        let bases: [ValueTag] = [
            .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
            .any,
        ]
        var types: [PropertyType] = [
            SampleObjects.link(SampleObjects.dog), SampleObjects.link(SampleObjects.house),
            PropertyType(.link, container: .list, target: SampleObjects.dog),
            PropertyType(.link, container: .set, target: SampleObjects.house),
            PropertyType(.link, isOptional: true, container: .map, target: SampleObjects.dog),
        ]
        for base in bases {
            for container in [PropertyType.Container.single, .list, .set, .map] {
                types.append(PropertyType(base, isOptional: true, container: container))
            }
        }
        return types
    }()

    static func value(_ type: PropertyType, _ generator: inout SplitMix64) -> Value {
        let count = Int.random(in: 0...5, using: &generator)
        let isLink = type.base == .link && type.container != .map
        switch type.container {
        case .single: return element(type, &generator)
        case .list:
            return .list((0..<count).map { _ in element(type, &generator, canBeNull: !isLink) })
        case .set:
            return .set(
                JSONValue.distinct(
                    (0..<count).map { _ in element(type, &generator, canBeNull: !isLink) }))
        case .map: return map(count) { element(type, &$0) }(&generator)
        }
    }

    private static func map(
        _ count: Int, _ value: @escaping (inout SplitMix64) -> Value
    ) -> (inout SplitMix64) -> Value {
        { generator in
            var entries: TextMap<Value> = [:]
            for index in 0..<count {
                entries["\(index)" + RandomJSON.text(&generator)] = value(&generator)
            }
            return .map(entries)
        }
    }

    private static func element(
        _ type: PropertyType, _ generator: inout SplitMix64, canBeNull: Bool = true
    ) -> Value {
        if canBeNull, Int.random(in: 0..<6, using: &generator) == 0 { return .null }
        switch type.base {
        case .any: return any(&generator, depth: 3)
        case .link:
            let isDog = type.target == SampleObjects.dog
            return isDog
                ? ref(.dog, UInt64.random(in: 0...1, using: &generator)) : ref(.house, 7)
        default: return scalar(type.base, &generator)
        }
    }

    private static func any(_ generator: inout SplitMix64, depth: Int) -> Value {
        let count = Int.random(in: 0...3, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .null
        case 1: return ref(.dog, 1)
        case 2: return [ref(.house, 7), ref(.tag, 1)].randomElement(using: &generator) ?? .null
        case 3...5:
            let tags: [ValueTag] = [
                .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
            ]
            return scalar(tags.randomElement(using: &generator) ?? .int, &generator)
        case 6: return .list((0..<count).map { _ in any(&generator, depth: depth - 1) })
        case 7:
            // As in columns: values that order as equal, by their bytes.
            let set = Value.set(
                JSONValue.distinct((0..<count).map { _ in any(&generator, depth: 0) }))
            var vector = ColumnVector(kind: .any)
            vector.append(set)
            return vector.value(at: 0)
        default: return map(count) { any(&$0, depth: depth - 1) }(&generator)
        }
    }

    private static func scalar(_ tag: ValueTag, _ generator: inout SplitMix64) -> Value {
        let bits = UInt64.random(in: 0 ... .max, using: &generator)
        let isEdge = Int.random(in: 0..<3, using: &generator) == 0
        switch tag {
        case .bool: return .bool(bits & 1 == 1)
        case .int:
            let edges: [Int64] = [.min, .max, 0, -1]
            return .int(
                isEdge ? edges.randomElement(using: &generator) ?? 0 : Int64(bitPattern: bits))
        case .float:
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            let edges: [Float] = [0, -0.0, .infinity, .nan, 3, .leastNonzeroMagnitude]
            guard isEdge || float.isNaN else { return .float(float) }
            return .float(edges.randomElement(using: &generator) ?? 0)
        case .double:
            let double = Double(bitPattern: bits)
            let edges: [Double] = [0, -0.0, -.infinity, .nan, 1e300, 12, .leastNonzeroMagnitude]
            guard isEdge || double.isNaN else { return .double(double) }
            return .double(edges.randomElement(using: &generator) ?? 0)
        case .string: return .string(RandomJSON.text(&generator))
        case .data:
            return .data((0..<Int(bits & 7)).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) })
        case .date:
            let edges: [Int64] = [.min, .max, 0, -1]
            let seconds =
                isEdge
                ? edges.randomElement(using: &generator) ?? 0 : Int64(bitPattern: bits) >> 28
            return .date(Timestamp(seconds: seconds, nanoseconds: Int64(bits % 1_000_000_000)))
        case .decimal128:
            let texts = ["0", "-0.00", "1.50", "1E+3", "NaN", "-Infinity", "123456789.000000001"]
            return .decimal128(Decimal128(texts.randomElement(using: &generator) ?? "0") ?? .nan)
        case .objectID:
            return .objectID(ObjectID(high: bits, low: UInt32(truncatingIfNeeded: bits)))
        default: return .uuid(UUID(high: bits, low: ~bits))
        }
    }
}
