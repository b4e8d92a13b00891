/// The name of the class that a file becomes.
package enum ClassName {
    /// The stem of a file name in upper camel case: `nyc-flights 2013.csv` is `NycFlights2013`.
    ///
    /// - Returns: `nil` if nothing is left that could begin a name.
    package static func from(path: String) -> String? {
        let file = path.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
        let stem = file.split(separator: ".", omittingEmptySubsequences: true).first ?? ""
        var name = ""
        for word in stem.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            name += word.prefix(1).uppercased() + word.dropFirst()
        }
        guard let first = name.first, first.isLetter else { return nil }
        return name
    }
}
