import FirnValues

/// The name of the class for a file.
package enum ClassName {
    /// Converts the stem of a file name to upper camel case: `nyc-flights 2013.csv` to
    /// `NycFlights2013`.
    ///
    /// - Returns: `nil` if no characters remain that can begin a name.
    package static func from(path: String) -> String? {
        let file = path.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
        let stem = file.split(separator: ".", omittingEmptySubsequences: true).first ?? ""
        return from(words: String(stem))
    }

    /// Converts a name of several words to upper camel case: `flight_plans` to `FlightPlans`.
    package static func from(words: String) -> String? {
        var name = ""
        for word in words.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            name += word.prefix(1).uppercased() + word.dropFirst()
        }
        guard let first = name.first, first.isLetter else { return nil }
        return name
    }
}

extension JSONArrays {
    /// The meaning for a new database.
    ///
    /// - Parameter known: the classes that exist.
    package init(className: String?, known: [String]) {
        self.className = className
        classOfArray = { name in
            known.contains(name) ? name : ClassName.from(words: name) ?? name
        }
        isRecord = { _ in false }
    }
}
