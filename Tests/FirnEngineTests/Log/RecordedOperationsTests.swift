import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Recorded operations")
struct RecordedOperationsTests {
    private let dog = ClassID(1)
    private let cat = ClassID(2)

    private func hex(_ operations: Operation...) throws -> String {
        var recorded = RecordedOperations()
        for operation in operations { try recorded.append(operation) }
        return recorded.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("Operations of every kind with values of every type round-trip")
    func everyKind() throws {
        for seed in TestScale.seeds(300) {
            var random = RandomOperation(seed: seed)
            var operations = (0..<RandomOperation.kindCount).map { random.operation(kind: $0) }
            operations.shuffle(using: &random.generator)
            var recorded = RecordedOperations()
            for operation in operations { try recorded.append(operation) }
            #expect(recorded.count == operations.count)
            #expect(try recorded.decoded() == operations, "seed \(seed)")
            let stored = RecordedOperations(bytes: recorded.bytes, count: recorded.count)
            #expect(stored == recorded)
            var handedOut: [Operation] = []
            try stored.forEach(in: "/x") { operation throws(StoreError) in
                handedOut.append(operation)
            }
            #expect(handedOut == operations, "seed \(seed)")
        }
    }

    @Test("The bytes of operations on objects never change")
    func goldenObjects() throws {
        #expect(
            try hex(
                .create(dog, RowID(300), [.int(-3), .null]), .delete(dog, RowID(5)),
                .delete(cat, RowID(5)), .set(cat, RowID(1), PropertyID(7), .bool(true)))
                == "8001ac0202020500" + "0205" + "820205" + "0101070101")
        #expect(
            try hex(
                .edit(dog, RowID(1), PropertyID(2), .append(.int(1))),
                .edit(dog, RowID(1), PropertyID(2), .insert(3, .null)),
                .edit(dog, RowID(1), PropertyID(2), .replace(-1, .null)),
                .edit(dog, RowID(1), PropertyID(2), .remove(1)),
                .edit(dog, RowID(1), PropertyID(2), .move(from: 1, to: 2)))
                == "880101020202" + "0901020600" + "0a01020100" + "0b010202" + "0c01020204")
        #expect(
            try hex(
                .edit(dog, RowID(1), PropertyID(2), .add(.null)),
                .edit(dog, RowID(1), PropertyID(2), .discard(.null)),
                .edit(dog, RowID(1), PropertyID(2), .put("k", .null)),
                .edit(dog, RowID(1), PropertyID(2), .drop("k")),
                .edit(dog, RowID(1), PropertyID(2), .clear))
                == "8d01010200" + "0e010200" + "0f0102016b00" + "100102016b" + "110102")
    }

    @Test("The bytes of schema changes and of names for versions never change")
    func goldenSchema() throws {
        let age = ClassDefinition.Property(
            name: "age", type: PropertyType(.int, isOptional: true, integerWidth: .bits16),
            display: nil, isIndexed: true, columnName: "c")
        let owner = ClassDefinition.Property(
            name: "o", type: PropertyType(.link), display: .decimalPlaces(2), targetName: "P")
        let inverse = ClassDefinition.Inverse(
            name: "i", sourceClassName: "S", sourcePropertyName: "p")
        let definition = ClassDefinition(
            name: "D", properties: [age], keyName: "age", isEmbedded: true, inverses: [inverse])
        #expect(
            try hex(.schema(.addClasses([definition])))
                == "200101440303616765" + "0103616765" + "0200010010" + "0000" + "050163"
                + "01" + "016901530170")
        #expect(
            try hex(
                .schema(.renameClass(dog, "E")), .schema(.removeClass(dog)),
                .schema(.addProperty(dog, owner, defaultValue: nil)),
                .schema(.addProperty(dog, owner, defaultValue: .null)))
                == "21010145" + "2201" + "2301" + "016f" + "0a00000040" + "0202" + "020150" + "00"
                + "2301" + "016f" + "0a00000040" + "0202" + "020150" + "0100")
        #expect(
            try hex(
                .schema(.renameProperty(dog, PropertyID(3), "q")),
                .schema(.removeProperty(dog, PropertyID(3))),
                .schema(.setKey(dog, PropertyID(3))), .schema(.setKey(dog, nil)),
                .schema(.addInverse(dog, inverse)), .schema(.removeInverse(dog, "i")))
                == "2401030171" + "250103" + "260104" + "260100" + "2701016901530170"
                + "28010169")
        #expect(
            try hex(
                .freeze(
                    Freeze(
                        name: "f", version: LSN(9), createdSeconds: 1, expiresSeconds: 2,
                        note: "n")),
                .freeze(
                    Freeze(
                        name: "f", version: LSN(9), createdSeconds: -1, expiresSeconds: nil,
                        note: "")),
                .dropFreeze("f"))
                == "3001660902" + "0104" + "016e" + "3001660901" + "00" + "00" + "310166")
    }

    @Test("A part of a record can be undone, and later operations name their class again")
    func truncation() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomOperation(seed: seed)
            var recorded = RecordedOperations()
            var kept: [Operation] = []
            for _ in 0..<6 {
                let mark = recorded.mark
                let part = (0..<random.generator.next() % 4).map { _ in random.operation() }
                for operation in part { try recorded.append(operation) }
                if random.generator.happens(oneIn: 2) {
                    recorded.truncate(to: mark)
                } else {
                    kept += part
                }
            }
            #expect(try recorded.decoded() == kept, "seed \(seed)")
            var straight = RecordedOperations()
            for operation in kept { try straight.append(operation) }
            #expect(recorded == straight, "seed \(seed)")
        }
    }

    @Test("Operations can be appended after decoding")
    func continuing() throws {
        var recorded = RecordedOperations()
        recorded.appendDelete(dog, RowID(1))
        var read = RecordedOperations(bytes: recorded.bytes, count: recorded.count)
        read.appendDelete(dog, RowID(2))
        #expect(try read.decoded() == [.delete(dog, RowID(1)), .delete(dog, RowID(2))])
        read.removeAll()
        #expect(read.isEmpty && read.byteCount == 0)
        read.appendDelete(dog, RowID(3))
        #expect(try read.decoded() == [.delete(dog, RowID(3))])
    }

    @Test("A collection holds values as deep as a single value, and deeper ones leave no trace")
    func depth() throws {
        let deepest = nested(Value.nestingMax)
        var recorded = RecordedOperations()
        recorded.appendDelete(dog, RowID(1))
        let before = recorded
        try recorded.appendCreate(dog, RowID(2), [.list([deepest])])
        try recorded.appendSet(dog, RowID(2), PropertyID(0), .map(["k": deepest]))
        try recorded.appendEdit(dog, RowID(2), PropertyID(0), .put("k", deepest))
        #expect(try recorded.decoded().count == 4)
        recorded = before
        #expect(throws: CodecError.self) {
            try recorded.appendCreate(dog, RowID(2), [.int(1), .list([.list([deepest])])])
        }
        #expect(throws: CodecError.self) {
            try recorded.appendSet(cat, RowID(2), PropertyID(0), .list([.list([deepest])]))
        }
        #expect(throws: CodecError.self) {
            try recorded.appendEdit(cat, RowID(2), PropertyID(0), .append(.list([deepest])))
        }
        let filled = ClassDefinition.Property(name: "p", type: PropertyType(.any))
        #expect(throws: CodecError.self) {
            try recorded.append(
                .schema(.addProperty(cat, filled, defaultValue: .list([.list([deepest])]))))
        }
        #expect(recorded == before)
        recorded.appendDelete(dog, RowID(2))
        #expect(try recorded.decoded() == [.delete(dog, RowID(1)), .delete(dog, RowID(2))])
    }

    private func nested(_ depth: Int) -> Value {
        (1..<depth).reduce(Value.list([])) { value, _ in .list([value]) }
    }

    @Test(
        "Bytes that no recorder writes are refused",
        arguments: [
            ([], 1), ([0x02, 0x05], 1), ([0x82, 0x01, 0x05, 0x00], 1), ([0x82, 0x01, 0x05], 2),
            ([0x03], 1), ([0x7F], 1), ([0xA2, 0x01], 1), ([0xFF, 0x01], 1),
            ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x05], 1),
            ([0x80, 0x01, 0x05, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 1),
            ([0x20, 0xFF, 0xFF, 0xFF, 0x7F], 1), ([0x23, 0x01, 0x01, 0x61, 0x02, 0x00], 1),
            ([0x26, 0x01, 0x81, 0x80, 0x80, 0x80, 0x10], 1),
            ([0x30, 0x01, 0x66, 0x09, 0x02, 0x02, 0x00], 1),
        ] as [([UInt8], Int)])
    func refused(bytes: [UInt8], count: Int) {
        let recorded = RecordedOperations(bytes: bytes, count: count)
        #expect(throws: CodecError.self) { try recorded.decoded() }
        let error = #expect(throws: StoreError.self) {
            try recorded.forEach(in: "/x") { _ throws(StoreError) in }
        }
        #expect(error?.code == .corrupt)
    }

    /// A few cases are whole operations, which the transaction validates.
    @Test("Random bytes and damaged operations are refused or decoded, and never trap")
    func garbage() throws {
        for seed in TestScale.seeds(20_000) {
            var random = RandomOperation(seed: seed)
            var bytes = random.generator.bytes(Int(random.generator.next() % 40))
            if seed % 2 == 0 {
                var recorded = RecordedOperations()
                try recorded.append(random.operation())
                bytes = recorded.bytes
                for _ in 0...random.generator.next() % 3 {
                    let place = Int(random.generator.next() % UInt64(bytes.count))
                    bytes[place] = UInt8(truncatingIfNeeded: random.generator.next())
                }
            } else if let first = bytes.first {
                // Mostly an existing code.
                bytes[0] = first & 0x80 | UInt8(random.generator.next() % 50)
            }
            let recorded = RecordedOperations(bytes: bytes, count: 1)
            guard let operations = try? recorded.decoded() else { continue }
            // Decoded operations are encoded in the same way, if the recorder would accept them.
            var again = RecordedOperations()
            for operation in operations { try again.append(operation) }
            #expect(try again.decoded() == operations, "seed \(seed)")
        }
    }
}
