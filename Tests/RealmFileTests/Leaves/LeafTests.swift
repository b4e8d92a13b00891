import FirnValues
import Testing

@testable import RealmFile

@Suite("Leaves of Realm files")
struct LeafTests {
    // MARK: Integers and ids

    @Test("The first number of a nullable leaf is the value that means null")
    func nullableIntegers() throws {
        var arrays = RealmArrays()
        let position = arrays.add([9, 1, 9, -3])
        let node = try arrays.reader().node(at: position)
        let leaf = try IntegerLeaf(node, isNullable: true)
        #expect((0..<3).map { leaf.value($0) } == [1, nil, -3])
        #expect(try IntegerLeaf(node, isNullable: false).values == [9, 1, 9, -3])
        let empty = arrays.add([])
        let bare = try arrays.reader().node(at: empty)
        #expect(throws: RealmFileError.self) { try IntegerLeaf(bare, isNullable: true) }
    }

    @Test("Ids are stored in blocks of eight with a null byte, and the last block is short")
    func ids() throws {
        var arrays = RealmArrays()
        let values = (0..<11).map { [UInt8](repeating: UInt8($0 + 1), count: 16) }
        var payload: [UInt8] = [0b0000_0010]
        for value in values[..<8] { payload += value }
        payload.append(0b0000_0100)
        for value in values[8...] { payload += value }
        let position = arrays.add(.bytes, width: 1, size: payload.count, payload)
        let leaf = try FixedLeaf(try arrays.reader().node(at: position), width: 16)
        #expect(leaf.count == 11)
        for index in 0..<11 {
            let isNull = index == 1 || index == 10
            let part = UInt64(index + 1) * 0x0101_0101_0101_0101
            #expect(leaf.uuid(index) == (isNull ? nil : UUID(high: part, low: part)))
        }
        let cut = arrays.add(.bytes, width: 1, size: payload.count - 1, payload)
        let damaged = try arrays.reader().node(at: cut)
        #expect(throws: RealmFileError.self) { try FixedLeaf(damaged, width: 16) }
    }

    @Test("Decimals of every width have the same values, and their own null")
    func decimals() throws {
        var arrays = RealmArrays()
        func leaf(_ width: Int, _ payload: [UInt8], flags: UInt8 = 0) throws -> DecimalLeaf {
            let size = width == 0 ? 2 : payload.count / width
            let position = arrays.add(.bytes, width: width, size: size, payload, flags: flags)
            return try DecimalLeaf(try arrays.reader().node(at: position))
        }
        func bytes<Bits: FixedWidthInteger>(_ bits: Bits) -> [UInt8] {
            withUnsafeBytes(of: bits.littleEndian) { Array($0) }
        }
        let minus12 = try #require(Decimal128(isNegative: true, coefficient: 12, exponent: -1))
        let narrow = try leaf(
            4, bytes((1 << 31 | 100 << 23 | 12) as UInt32) + bytes(UInt32(0x7C00_00AA)))
        #expect(try narrow.value(0) == minus12 && narrow.value(1) == nil)
        let middle = try leaf(
            8, bytes((1 << 63 | 397 << 53 | 12) as UInt64) + bytes(UInt64(0x7C00_0000_0000_00AA)))
        #expect(try middle.value(0) == minus12 && middle.value(1) == nil)
        let wide = try leaf(
            16,
            bytes(minus12.low) + bytes(minus12.high) + bytes(UInt64(0xAA))
                + bytes(UInt64(0x7C00_0000_0000_0000)))
        #expect(try wide.value(0) == minus12 && wide.value(1) == nil)
        #expect(try leaf(0, []).value(1) == nil)
        #expect(try leaf(0, [], flags: 0x20).value(1) == Decimal128(0))
        #expect(throws: RealmFileError.self) { try leaf(2, [1, 2]) }
    }

    // MARK: Texts

    private func texts(_ leaf: TextLeaf, _ nodes: NodeReader) throws -> [String?] {
        try (0..<leaf.count).map { try leaf.bytes($0, nodes)?.text }
    }

    @Test("Short, medium, long and enumerated strings are equal, including empty strings and nulls")
    func forms() throws {
        let expected: [String?] = ["ab", nil, "", "abcdefg"]
        var arrays = RealmArrays()
        let short = arrays.add(
            .bytes, width: 8, size: 4,
            Array("ab\0\0\0\0\0\u{5}".utf8) + [0, 0, 0, 0, 0, 0, 0, 8] + [0, 0, 0, 0, 0, 0, 0, 7]
                + Array("abcdefg\0".utf8))
        let ends = arrays.add([3, 3, 4, 12])
        let bytes = arrays.add(value: Array("ab\0\0abcdefg\0".utf8))
        let nulls = arrays.add([0, 1, 0, 0])
        let medium = arrays.add(references: [ends, bytes, nulls])
        let parts = ["ab\0", "\0", "abcdefg\0"].map { arrays.add(value: Array($0.utf8)) }
        let long = arrays.add(references: [parts[0], 0, parts[1], parts[2]], flags: 0x20)
        let indices = arrays.add([0, 1, 2, 3])
        let nodes = arrays.reader()
        for position in [short, medium, long] {
            let leaf = try TextLeaf(try nodes.node(at: position), isText: true, nodes)
            #expect(try texts(leaf, nodes) == expected)
            #expect(leaf.isLong == (position == long))
            var found: [String?] = []
            let wereShort = try leaf.forEachShort(in: 0..<leaf.count) { bytes in
                found.append(bytes.map { String(decoding: $0, as: UTF8.self) })
            }
            #expect(wereShort == (position != long) && found == (wereShort ? expected : []))
        }
        let column = try TextLeaf(try nodes.node(at: short), isText: true, nodes)
        let enumerated = try TextLeaf(
            try nodes.node(at: indices), isText: true, texts: column, nodes)
        #expect(try texts(enumerated, nodes) == expected)
    }

    @Test("Bytes have no end mark, and a string without an end mark is damage")
    func endMarks() throws {
        var arrays = RealmArrays()
        let value = arrays.add(value: [1, 2, 3])
        let position = arrays.add(references: [value], flags: 0x20)
        let nodes = arrays.reader()
        let node = try nodes.node(at: position)
        let data = try TextLeaf(node, isText: false, nodes)
        #expect(try data.bytes(0, nodes)?.array == [1, 2, 3])
        let text = try TextLeaf(node, isText: true, nodes)
        #expect(throws: RealmFileError.self) { try text.bytes(0, nodes) }
    }

    @Test("Ends that decrease or exceed the bytes, and indices outside the list, are damage")
    func damagedTexts() throws {
        var arrays = RealmArrays()
        let bytes = arrays.add(value: Array("ab\0".utf8))
        for ends in [[3, 2], [4], [-1]] as [[Int64]] {
            let position = arrays.add(references: [arrays.add(ends), bytes])
            let nodes = arrays.reader()
            let node = try nodes.node(at: position)
            #expect(throws: RealmFileError.self) { try TextLeaf(node, isText: true, nodes) }
        }
        let listed = arrays.add(.bytes, width: 4, size: 1, Array("ab\0\u{1}".utf8))
        let tooLong = arrays.add(.bytes, width: 4, size: 1, Array("ab\0\u{5}".utf8))
        let indices = arrays.add([1, -1])
        let nodes = arrays.reader()
        let column = try TextLeaf(try nodes.node(at: listed), isText: true, nodes)
        let leaf = try TextLeaf(try nodes.node(at: indices), isText: true, texts: column, nodes)
        for index in 0..<2 {
            #expect(throws: RealmFileError.self) { try leaf.bytes(index, nodes) }
        }
        let wrong = try TextLeaf(try nodes.node(at: tooLong), isText: true, nodes)
        #expect(throws: RealmFileError.self) { try wrong.bytes(0, nodes) }
        #expect(throws: RealmFileError.self) { try wrong.forEachShort(in: 0..<1) { _ in } }
    }
}
