import FirnValues
@_spi(_Unicode) import Swift

/// Normalizes texts that differ only in case (`[c]`) or in diacritics (`[d]`).
///
/// This is the only code that uses Unicode tables, all of which are the standard library's.
///
/// 1. `[d]`: canonical decomposition (NFD) of each scalar, without nonspacing marks (general
///    category Mn). Hangul syllables have no marks and stay whole, so that `?` matches one. (As all
///    marks are dropped, the order of marks, which NFD also defines, has no effect.)
/// 2. `[c]`: each scalar becomes the lowercase of the uppercase of its lowercase, which unites forms
///    such as σ and ς, or ẞ, ß and ss. The Turkish dotless ı stays itself, as in Unicode's case
///    folding.
///
/// `_nfd` is the standard library's own normalizer, for which there is no public API.
enum TextFolding {
    private static let hangulSyllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let dotlessI: Unicode.Scalar = "\u{131}"

    /// Returns valid UTF-8 in folded form.
    static func fold(
        _ text: UnsafeBufferPointer<UInt8>, _ options: TextPattern.Options
    ) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                folded.append(options.contains(.caseInsensitive) ? lowercase(ascii: byte) : byte)
            } else if options.contains(.diacriticInsensitive),
                !hangulSyllables.contains(scalar.value)
            {
                for part in String(scalar)._nfd
                where part.properties.generalCategory != .nonspacingMark {
                    append(part, options, to: &folded)
                }
            } else {
                append(scalar, options, to: &folded)
            }
        }
        return folded
    }

    /// Returns bytes in folded form: as text if they are UTF-8, otherwise with the ASCII letters in
    /// lower case.
    static func fold(
        bytes: UnsafeBufferPointer<UInt8>, _ options: TextPattern.Options
    ) -> [UInt8] {
        if UTF8Validation.isValid(UnsafeRawBufferPointer(bytes)) { return fold(bytes, options) }
        return options.contains(.caseInsensitive)
            ? bytes.map { lowercase(ascii: $0) } : Array(bytes)
    }

    private static func append(
        _ scalar: Unicode.Scalar, _ options: TextPattern.Options, to folded: inout [UInt8]
    ) {
        guard options.contains(.caseInsensitive), scalar != dotlessI else {
            folded.append(contentsOf: String(scalar).utf8)
            return
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                folded.append(contentsOf: upper.properties.lowercaseMapping.utf8)
            }
        }
    }

    /// Folds an ASCII character without a table.
    @inline(__always)
    static func lowercase(ascii byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

extension TextPattern {
    /// Returns valid UTF-8 in the form in which texts are compared with some options.
    package static func folded(
        _ text: UnsafeBufferPointer<UInt8>, _ options: TextPattern.Options
    ) -> [UInt8] { TextFolding.fold(text, options) }
}
