import ArgumentParser
import FirnValues

/// `plane=tailnum:Plane.tailnum`: a link property to fill from columns with keys.
///
/// Several properties are written as `hour=(origin, time):Weather.(origin, time)`. A name with one
/// of these marks is in quotes.
package struct LinkRequest: ExpressibleByArgument, Hashable {
    /// The class that gets the property, if given.
    package let className: String?
    package let property: String
    /// The properties whose values identify the targets.
    let sources: [String]
    let targetClassName: String
    let targetProperties: [String]
    /// The request as written, for errors: `--link plane=tailnum:Plane.tailnum`.
    package let label: String
    /// The request without the option or the verb.
    let text: String

    package init(
        className: String, property: String, sources: [String], targetClassName: String,
        targetProperties: [String]
    ) {
        self.className = className
        self.property = property
        self.sources = sources
        self.targetClassName = targetClassName
        self.targetProperties = targetProperties
        label = "\(className).\(property)"
        text = label
    }

    package init?(argument: String) {
        self.init(argument, label: "--link \(SafeText.escaping(argument))")
    }

    /// Parses a request; `nil` if it is not one, or is incomplete.
    package init?(_ text: String, label: String) {
        guard let marked = MarkedText(text) else { return nil }
        let all = marked.scalars.indices
        guard let equals = marked.first("=", in: all),
            let colon = marked.last(":", in: equals + 1..<all.upperBound)
        else { return nil }
        self.text = text
        self.label = label
        var left = 0..<equals
        className = marked.first(".", in: left).map { dot in
            defer { left = dot + 1..<equals }
            return marked.name(0..<dot)
        }
        property = marked.name(left)
        guard let sources = marked.names(equals + 1..<colon),
            let dot = marked.first(".", in: colon + 1..<all.upperBound),
            let targets = marked.names(dot + 1..<all.upperBound)
        else { return nil }
        self.sources = sources
        targetClassName = marked.name(colon + 1..<dot)
        targetProperties = targets
        let parts = [property, targetClassName, className ?? "-"] + sources + targets
        if parts.contains(where: \.isEmpty) { return nil }
    }
}
