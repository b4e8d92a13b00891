import FirnValues

/// The decimal digits of a number, which can be rounded and written with a number of places.
struct DecimalDigits {
    /// The maximum number of places that can be written.
    static let placesMax: Int64 = 100

    private(set) var isNegative = false
    /// The digits 0 to 9, without leading zeros.
    private var digits: [UInt8] = []
    /// The number of digits before the point; negative if zeros follow the point.
    private var pointPosition = 0
    /// The text of a value without digits, such as `inf`.
    private var special: String?

    /// Creates the digits of the shortest decimal that is read as the same number.
    init(_ value: Double) {
        self.init(text: value.isFinite ? value.description : nil, special: value.description)
    }

    /// Creates the digits of any number; `nil` for other values.
    init?(_ value: Value) {
        switch value {
        case .int(let number): self.init(text: number.description, special: "")
        case .float(let number):
            self.init(text: number.isFinite ? number.description : nil, special: number.description)
        case .double(let number): self.init(number)
        case .decimal128(let number):
            self.init(text: number.isFinite ? number.description : nil, special: number.description)
        default: return nil
        }
    }

    private init(text: String?, special: String) {
        guard let text else {
            self.special = special
            return
        }
        var exponent = 0
        var isAfterPoint = false
        var bytes = Array(text.utf8)[...]
        if let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            exponent = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)) ?? 0
            bytes = bytes[..<mark]
        }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isAfterPoint = true
            default:
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { continue }
                if digits.isEmpty, digit == 0 {
                    if isAfterPoint { pointPosition -= 1 }
                    continue
                }
                digits.append(digit)
                if !isAfterPoint { pointPosition += 1 }
            }
        }
        pointPosition += exponent
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { pointPosition = 0 }
    }

    /// Returns the number rounded to a number of places after the point, halves away from 0.
    func rounded(places: Int) -> DecimalDigits {
        guard special == nil else { return self }
        let kept = pointPosition + places
        guard kept < digits.count else { return self }
        var result = self
        guard kept >= 0 else {
            result.digits = []
            result.pointPosition = 0
            return result
        }
        let roundsUp = digits[kept] >= 5
        result.digits.removeLast(digits.count - kept)
        if roundsUp {
            var index = kept - 1
            while index >= 0, result.digits[index] == 9 {
                result.digits[index] = 0
                index -= 1
            }
            if index >= 0 {
                result.digits[index] += 1
            } else {
                result.digits.insert(1, at: 0)
                result.pointPosition += 1
            }
        }
        while result.digits.last == 0 { result.digits.removeLast() }
        if result.digits.isEmpty { result.pointPosition = 0 }
        return result
    }

    /// The nearest double.
    var double: Double {
        let text = String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let magnitude = Double("0.\(text.isEmpty ? "0" : text)e\(pointPosition)") ?? .nan
        return isNegative ? -magnitude : magnitude
    }

    /// Appends the number with a number of places after the point.
    func append(places: Int, to text: inout [UInt8]) {
        if let special { return text.append(contentsOf: special.utf8) }
        let rounded = rounded(places: places)
        if isNegative, !rounded.digits.isEmpty { text.append(UInt8(ascii: "-")) }
        func digit(_ index: Int) -> UInt8 {
            UInt8(ascii: "0")
                + (rounded.digits.indices.contains(index) ? rounded.digits[index] : 0)
        }
        let whole = rounded.pointPosition
        if whole <= 0 { text.append(UInt8(ascii: "0")) }
        for index in 0..<max(0, whole) { text.append(digit(index)) }
        guard places > 0 else { return }
        text.append(UInt8(ascii: "."))
        for index in 0..<places { text.append(digit(whole + index)) }
    }
}
