package import FirnValues

/// The values and the zone with which a text in the query language is bound.
package struct QueryArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values of `$name`, by their names without the dollar sign.
    package var values: TextMap<Value>
    /// The time zone of functions that do not name one; `nil` for UTC.
    package var zone: String?

    package init(_ values: TextMap<Value>, zone: String? = nil) {
        self.values = values
        self.zone = zone
    }

    package init(dictionaryLiteral elements: (String, Value)...) {
        self.init(TextMap(elements) { _, last in last })
    }

    package subscript(name: String) -> Value? { values[name] }
}
