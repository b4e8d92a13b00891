import Foundation

/// The texts in string literals of Swift sources; `X` stands for each interpolation.
///
/// Literals that `+` joins are one text.
struct SourceTexts {
    private(set) var texts: [String] = []
    private let bytes: [UInt8]
    private var index = 0

    /// Returns the texts of all files in a folder of the project, such as `Sources/Commands/FirnTools`.
    static func all(in folder: String) throws -> [(file: String, text: String)] {
        let path = "\(ManualPage.folder)/\(folder)"
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        return try names.filter { $0.hasSuffix(".swift") }.flatMap { name in
            let content = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
            var reader = SourceTexts(bytes: Array(content))
            reader.read()
            return reader.texts.map { ("\(folder)/\(name)", $0) }
        }
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func starts(_ text: StaticString, at offset: Int = 0) -> Bool {
        let start = index + offset
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
    }

    mutating func read() {
        var isJoined = false
        while index < bytes.count {
            if starts("//") {
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
            } else if starts("\"") || starts("#\"") {
                let text = literal()
                if isJoined, let last = texts.popLast() {
                    texts.append(last + text)
                } else {
                    texts.append(text)
                }
                isJoined = skipPlus()
            } else {
                index += 1
            }
        }
    }

    /// - Returns: whether a plus and the next literal follow.
    private mutating func skipPlus() -> Bool {
        var next = index
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: "+") else { return false }
        next += 1
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else { return false }
        index = next
        return true
    }

    private mutating func literal() -> String {
        let isRaw = starts("#")
        if isRaw { index += 1 }
        let isLong = starts("\"\"\"")
        index += isLong ? 3 : 1
        var text: [UInt8] = []
        while index < bytes.count {
            if isLong ? starts("\"\"\"") : starts("\"") {
                index += (isLong ? 3 : 1) + (isRaw ? 1 : 0)
                break
            }
            if starts("\\"), !isRaw {
                if starts("(", at: 1) {
                    skipInterpolation()
                    text.append(UInt8(ascii: "X"))
                } else {
                    if !starts("n", at: 1) { text.append(bytes[index + 1]) }
                    index += 2
                }
                continue
            }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func skipInterpolation() {
        index += 2
        var depth = 1
        while index < bytes.count, depth > 0 {
            if starts("\"") {
                _ = literal()
                continue
            }
            if starts("(") { depth += 1 }
            if starts(")") { depth -= 1 }
            index += 1
        }
    }
}
