import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues

/// The links from the objects of a subscribed class to the objects whose values decide about them.
///
///     Order customer.country.code != "NO"
///       Order -customer-> Customer                        a path
///       Order -customer-> Customer -country-> Country     a path
struct LinkPath: Hashable, Sendable {
    struct Link: Hashable, Sendable {
        let property: PropertySchema
        let target: ClassSchema
    }

    /// At least one.
    private(set) var links: [Link]

    /// Returns a path that is longer by a link.
    fileprivate static func path(_ former: LinkPath?, _ link: Link) -> LinkPath {
        LinkPath(links: (former?.links ?? []) + [link])
    }

    /// Returns the keys of the objects from which the path leads to certain objects.
    ///
    /// - Parameters:
    ///   - type: The class at the beginning of the path.
    ///   - classes: The classes of the subset and of its paths, as the server names them.
    ///   - targets: Returns a statement with the keys of objects of the last class of the path.
    /// - Returns: A statement with the texts of the keys; `nil` if the server lacks a column.
    func owners(
        of type: SyncedClass, among classes: [ClassID: SyncedClass],
        linkingTo targets: (SyncedClass) -> String?
    ) -> String? {
        let types = [type] + links.compactMap { classes[$0.target.id] }
        guard types.count == links.count + 1, var found = types.last.flatMap(targets) else {
            return nil
        }
        for (index, link) in links.enumerated().reversed() {
            let owner = types[index]
            guard let column = owner.column(of: link.property.id) else { return nil }
            let key = index == 0 ? owner.keyText(ofRow: "p") : "p.\(SQLText.name(owner.key.main))"
            let name = "p.\(SQLText.name(column.main))"
            let test = column.isCollection ? "\(name) && ARRAY(\(found))" : "\(name) IN (\(found))"
            found = "SELECT \(key) FROM \(owner.table) p WHERE \(test)"
        }
        return found
    }
}

extension BoundPredicate {
    /// The paths to the objects of other tables that the condition reads on the server.
    var linkPaths: Set<LinkPath> { linkPaths(after: nil) }

    private func linkPaths(after path: LinkPath?) -> Set<LinkPath> {
        switch self {
        case .and(let operands), .or(let operands):
            return operands.reduce(into: []) { $0.formUnion($1.linkPaths(after: path)) }
        case .not(let operand): return operand.linkPaths(after: path)
        case .linkMatches(let property, let target, let inner, _):
            guard keyTestOfLink == nil else { return [] }
            let longer = LinkPath.path(path, LinkPath.Link(property: property, target: target))
            return inner.linkPaths(after: longer).union([longer])
        case .comparison(let comparison):
            guard case .constant = comparison.test else { return [] }
            var paths: Set<LinkPath> = []
            var longer = path
            for link in comparison.eachPath?.links ?? [] {
                let next = LinkPath.path(longer, link)
                paths.insert(next)
                longer = next
            }
            return paths
        default: return []
        }
    }

    /// The test of `link.key == value`, which the column of the link answers alone.
    var keyTestOfLink: ColumnTest? {
        guard case .linkMatches(_, let target, let inner, ifNil: false) = self,
            let (column, test) = inner.columnTest, case .property(let property) = column,
            property.id == target.key
        else { return nil }
        switch test {
        case .compare(.equal, _), .oneOf: return test
        default: return nil
        }
    }
}

extension BoundPath {
    /// The steps of the path, if each follows a property to other objects.
    var links: [LinkPath.Link]? {
        var links: [LinkPath.Link] = []
        for step in steps {
            switch step {
            case .link(let property, let target), .elements(let property, let target):
                links.append(LinkPath.Link(property: property, target: target))
            default: return nil
            }
        }
        return links
    }
}
