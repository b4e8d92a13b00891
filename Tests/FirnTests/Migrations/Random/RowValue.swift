import Firn
import Foundation

/// The value of a property outside of a database; elements are texts, or nil.
enum RowValue: Equatable {
    case single(String?)
    case list([String?])
    case set(Set<String?>)
    case map([String: String?])
    /// The numbers of the objects to which a property links: none or one, those of a list, or the
    /// values of a map in the order of its keys.
    case links([Int?])

    /// Reads a value of a property of a dynamic object.
    init(_ value: Any?, _ type: RandomType) {
        switch type.container {
        case .single: self = .single(Self.text(of: value))
        case .list: self = .list(Self.elements(of: value).map { Self.text(of: $0) })
        case .set: self = .set(Set(Self.elements(of: value).map { Self.text(of: $0) }))
        case .map:
            self = .map(
                Dictionary(
                    uniqueKeysWithValues: Self.entries(of: value).map {
                        ($0.key, Self.text(of: $0.value))
                    }))
        }
    }

    /// Returns the elements of a list or set.
    static func elements(of value: Any?) -> [Any] {
        (value as? any Sequence).map { sequence in sequence.map { $0 as Any } } ?? []
    }

    /// Returns the entries of a map in the order of its keys.
    static func entries(of value: Any?) -> [(key: String, value: Any)] {
        elements(of: value).compactMap { entry in
            let parts = Array(Mirror(reflecting: entry).children)
            guard parts.count == 2, let key = parts[0].value as? String else { return nil }
            return (key, parts[1].value)
        }.sorted { $0.key < $1.key }
    }

    /// Returns a value outside of any optional.
    static func content(of value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { content(of: $0.value) }
    }

    /// Returns a text that differs for different values of one type.
    static func text(of value: Any?) -> String? {
        switch content(of: value) {
        case nil: nil
        case let data as Data: data.map { "\($0)" }.joined(separator: " ")
        case let date as Date: "\(date.timeIntervalSince1970)"
        // A property of a dynamic object has the value itself.
        case let any as AnyRealmValue where any == .none: nil
        case let any as AnyRealmValue: any.intValue.map { "\($0)" } ?? any.stringValue
        case let value?: "\(value)"
        }
    }
}
