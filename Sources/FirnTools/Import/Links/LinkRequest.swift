import ArgumentParser

/// `plane=tailnum:Plane.tailnum`: a link property to fill from a column of keys.
struct LinkRequest: ExpressibleByArgument, Hashable {
    /// The class that gets the property, if given.
    let className: String?
    let property: String
    /// The property whose values identify the targets.
    let source: String
    let targetClassName: String
    let targetProperty: String
    let text: String

    init?(argument: String) {
        text = argument
        guard let equals = argument.firstIndex(of: "="),
            let colon = argument[equals...].lastIndex(of: ":")
        else { return nil }
        let left = argument[..<equals]
        let target = argument[argument.index(after: colon)...]
        source = String(argument[argument.index(after: equals)..<colon])
        if let dot = left.firstIndex(of: ".") {
            className = String(left[..<dot])
            property = String(left[left.index(after: dot)...])
        } else {
            className = nil
            property = String(left)
        }
        guard let dot = target.firstIndex(of: ".") else { return nil }
        targetClassName = String(target[..<dot])
        targetProperty = String(target[target.index(after: dot)...])
        let parts = [property, source, targetClassName, targetProperty, className ?? "-"]
        if parts.contains(where: \.isEmpty) { return nil }
    }
}
