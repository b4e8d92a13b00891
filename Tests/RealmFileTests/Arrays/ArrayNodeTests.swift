import Testing

@testable import RealmFile

@Suite("Arrays of Realm files")
struct ArrayNodeTests {
    private func node(
        _ kind: RealmArrays.Kind, width: Int, size: Int, _ payload: [UInt8], flags: UInt8 = 0
    ) throws -> ArrayNode {
        var arrays = RealmArrays()
        let position = arrays.add(kind, width: width, size: size, payload, flags: flags)
        return try arrays.reader().node(at: position)
    }

    @Test("Elements below 8 bits are unsigned, and begin in the lowest bit", arguments: [1, 2, 4])
    func narrow(_ width: Int) throws {
        let values = (0..<17).map { $0 * 7 & (1 << width - 1) }
        var payload = [UInt8](repeating: 0, count: (17 * width + 7) / 8)
        for (index, value) in values.enumerated() {
            payload[index * width / 8] |= UInt8(value << (index * width % 8))
        }
        let node = try node(.bits, width: width, size: 17, payload)
        #expect(try node.integers() == values.map { Int64($0) })
        #expect((0..<17).map { node.integer($0) } == values.map { Int64($0) })
    }

    @Test("Elements of 8 bits or more are signed, except as keys", arguments: [8, 16, 32, 64])
    func signed(_ width: Int) throws {
        let payload = [UInt8](repeating: 0xFE, count: 1) + [UInt8](repeating: 0xFF, count: 7)
        let node = try node(.bits, width: width, size: 1, Array(payload.prefix(width / 8)))
        #expect(try node.integers() == [-2])
        #expect(node.integer(0) == -2 && node.slot(0) == UInt64(bitPattern: -2))
        let mask: UInt64 = width == 64 ? .max : 1 << UInt64(width) - 1
        #expect(try node.unsignedIntegers() == [mask - 1])
    }

    @Test("Elements without a width are zeros, so a few bytes can have very many")
    func widthless() throws {
        let node = try node(.bits, width: 0, size: 1_000, [])
        #expect(try node.integers() == [Int64](repeating: 0, count: 1_000))
        #expect(node.integer(999) == 0)
        let longest = try self.node(.bits, width: 0, size: ReadLimits.integersMax + 1, [])
        #expect(throws: RealmFileError.self) { try longest.integers() }
    }

    @Test("A slot beyond the end of an array is empty, because newer versions have more slots")
    func slots() throws {
        let node = try node(.bits, width: 8, size: 2, [16, 3], flags: 0x40)
        #expect((-1...2).map { node.slot($0) } == [0, 16, 3, 0])
        #expect(node.hasRefs && !node.isInner && !node.context)
    }

    @Test("Strings and bytes are not integers", arguments: [RealmArrays.Kind.bytes, .none])
    func otherKinds(_ kind: RealmArrays.Kind) throws {
        let node = try node(kind, width: 1, size: 8, [UInt8](repeating: 1, count: 8))
        #expect(throws: RealmFileError.self) { try node.integers() }
        #expect(node.slot(0) == 0)
    }
}

@Suite("Positions in Realm files")
struct NodeReaderTests {
    private func detail(_ body: () throws(RealmFileError) -> Void) -> String? {
        do throws(RealmFileError) { try body() } catch { return error.detail }
        return nil
    }

    @Test("Arrays start at multiples of 8 after the header, and end inside the file")
    func bounds() throws {
        var arrays = RealmArrays()
        let good = arrays.add([1, 2])
        let long = arrays.add(.none, width: 0, size: 100, [1])
        let reader = arrays.reader()
        _ = try reader.node(at: good)
        let end = UInt64(arrays.bytes.count)
        for position: UInt64 in [0, 16, good + 1, good + 4, end, 1 << 40, .max - 7] {
            #expect(throws: RealmFileError.self) { try reader.node(at: position) }
        }
        #expect(
            detail { () throws(RealmFileError) in _ = try reader.node(at: long) }
                == "an array extends beyond the end of the file")
    }

    @Test("The fourth kind of width does not exist")
    func unknownKind() throws {
        var arrays = RealmArrays()
        let position = arrays.add(.none, width: 0, size: 0, [], flags: 1 << 3)
        #expect(
            detail { () throws(RealmFileError) in _ = try arrays.reader().node(at: position) }
                == "an array has an unknown kind of elements")
    }

    @Test("A number in place of a position, or a position in place of a number, is damage")
    func marks() throws {
        var arrays = RealmArrays()
        let position = arrays.add([32, 7, 0], flags: 0x40)
        let reader = arrays.reader()
        let node = try reader.references(at: position)
        #expect(try reader.position(in: node, 0) == 32)
        #expect(try reader.number(in: node, 1) == 3)
        #expect(try reader.position(in: node, 2) == nil && reader.number(in: node, 2) == nil)
        #expect(throws: RealmFileError.self) { try reader.number(in: node, 0) }
        #expect(throws: RealmFileError.self) { try reader.position(in: node, 1) }
        #expect(throws: RealmFileError.self) { try reader.requiredPosition(in: node, 2) }
        let plain = arrays.add([32])
        #expect(throws: RealmFileError.self) { try arrays.reader().references(at: plain) }
    }

    /// A few arrays that refer to each other could otherwise be visited for ever.
    @Test("A scan visits a limited number of bytes, and the next scan has its own limit")
    func visits() throws {
        var arrays = RealmArrays()
        let position = arrays.add(
            .none, width: 0, size: 1 << 16, [UInt8](repeating: 1, count: 1 << 16))
        let reader = arrays.reader()
        var count = 0
        let refused = detail { () throws(RealmFileError) in
            while count < 1_000 {
                _ = try reader.node(at: position)
                count += 1
            }
        }
        #expect(refused == "the same arrays are referred to again and again")
        #expect(count == ((1 << 20) + 4 * arrays.bytes.count) / ((1 << 16) + 8))
        reader.beginScan()
        _ = try reader.node(at: position)
    }

    @Test("A value stored in several arrays is one value, and no longer than the file")
    func chunks() throws {
        var arrays = RealmArrays()
        let parts = [[1, 2, 3], [], [4]].map { arrays.add(value: $0) }
        let position = arrays.add(references: parts, flags: 0x20)
        let blob = try Blob(at: position, arrays.reader())
        #expect(blob.isChunked && blob.bytes.array == [1, 2, 3, 4])
        #expect(try Blob(at: parts[0], arrays.reader()).bytes.array == [1, 2, 3])
        let long = arrays.add(value: [UInt8](repeating: 0, count: 1_000))
        let twice = arrays.add(references: [UInt64](repeating: long, count: 50), flags: 0x20)
        #expect(
            detail { () throws(RealmFileError) in _ = try Blob(at: twice, arrays.reader()) }
                == "a value is longer than the file")
        let unmarked = arrays.add(references: parts)
        #expect(throws: RealmFileError.self) { try Blob(at: unmarked, arrays.reader()) }
        let numbers = arrays.add([1, 2])
        #expect(throws: RealmFileError.self) { try Blob(at: numbers, arrays.reader()) }
    }
}
