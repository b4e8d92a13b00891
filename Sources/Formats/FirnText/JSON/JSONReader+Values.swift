import FirnValues

extension JSONReader {
    /// Reads the value at ``position``.
    ///
    /// The recursion ends at ``JSONLimits/depthMax``.
    ///
    /// - Parameter depth: the number of open arrays and objects.
    mutating func readValue(depth: Int) throws(InputError) -> JSONTree {
        let start = here
        valuesLeft &-= 1
        guard valuesLeft >= 0 else {
            throw limitError("a record has more than \(limits.recordValuesMax) values")
        }
        switch buffer.base[position] {
        case UInt8(ascii: "\""):
            return JSONTree(.string(try readString()), at: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONTree(.number(try readNumber()), at: start)
        case UInt8(ascii: "{"):
            return JSONTree(.object(try readObject(depth: depth)), at: start)
        case UInt8(ascii: "["):
            return JSONTree(.array(try readArray(depth: depth)), at: start)
        case UInt8(ascii: "t"):
            try skipWord("true")
            return JSONTree(.bool(true), at: start)
        case UInt8(ascii: "f"):
            try skipWord("false")
            return JSONTree(.bool(false), at: start)
        case UInt8(ascii: "n"):
            try skipWord("null")
            return JSONTree(.null, at: start)
        default: throw unexpected("a value")
        }
    }

    private mutating func skipWord(_ word: StaticString) throws(InputError) {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        for byte in expected {
            guard try hasByte() else { throw endError() }
            guard buffer.base[position] == byte else {
                throw syntaxError("a word that is not true, false or null")
            }
            position &+= 1
        }
    }

    private func checkDepth(_ depth: Int) throws(InputError) {
        guard depth < limits.depthMax else {
            throw syntaxError(
                "arrays and objects nested more than \(limits.depthMax) levels deep")
        }
    }

    private mutating func readArray(depth: Int) throws(InputError) -> [JSONTree] {
        try checkDepth(depth)
        position &+= 1
        guard let first = try nextByte() else { throw endError() }
        if first == UInt8(ascii: "]") {
            position &+= 1
            return []
        }
        var elements: [JSONTree] = []
        elements.reserveCapacity(expectedCounts[depth])
        while true {
            elements.append(try readValue(depth: depth &+ 1))
            let separator = try nextByte()
            guard separator == UInt8(ascii: ",") else {
                guard separator == UInt8(ascii: "]") else {
                    throw unexpected("a comma or a bracket after an array element")
                }
                position &+= 1
                remember(elements.count, depth: depth)
                return elements
            }
            position &+= 1
            guard try nextByte() != nil else { throw endError() }
        }
    }

    private mutating func readObject(depth: Int) throws(InputError) -> [JSONTree.Member] {
        try checkDepth(depth)
        position &+= 1
        if try nextByte() == UInt8(ascii: "}") {
            position &+= 1
            return []
        }
        let firstName = nameCount
        var members: [JSONTree.Member] = []
        members.reserveCapacity(expectedCounts[depth])
        while true {
            guard try nextByte() == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let start = here
            let name = try readName()
            if isRepeated(name, in: members, firstName: firstName) {
                throw duplicateName(name, at: start)
            }
            try skip(UInt8(ascii: ":"), "a colon after a name")
            guard try nextByte() != nil else { throw endError() }
            members.append(JSONTree.Member(name: name, value: try readValue(depth: depth &+ 1)))
            let separator = try nextByte()
            guard separator == UInt8(ascii: ",") else {
                guard separator == UInt8(ascii: "}") else {
                    throw unexpected("a comma or a brace after an object member")
                }
                position &+= 1
                remember(members.count, depth: depth)
                forgetNames(from: firstName)
                return members
            }
            position &+= 1
        }
    }

    /// Stores a count for the next array or object, limited so that empty ones do not waste memory.
    @inline(__always)
    private mutating func remember(_ count: Int, depth: Int) {
        expectedCounts[depth] = min(count, 64)
    }
}
