//! Which item leads to which.

/// Successors, by node.
pub(super) type Edges = Vec<Vec<usize>>;

/// The groups of nodes that lead to each other, each before those it leads to. A node that leads to
/// no other that leads back is a group of its own.
pub(super) fn groups(edges: &Edges) -> Vec<Vec<usize>> {
    let order = postorder(edges, &mut (0..edges.len()), &mut vec![false; edges.len()]);
    let backwards = reversed(edges);
    let mut seen = vec![false; edges.len()];
    let starts = order.into_iter().rev();
    let groups = starts.map(|start| postorder(&backwards, &mut std::iter::once(start), &mut seen));
    groups.filter(|group| !group.is_empty()).collect()
}

/// The nodes that `starts` lead to, each after those that were found from it.
fn postorder(edges: &Edges, starts: &mut dyn Iterator<Item = usize>, seen: &mut [bool]) -> Vec<usize> {
    let mut order = Vec::new();
    for start in starts {
        let mut open: Vec<(usize, usize)> = Vec::new();
        if visit(seen, start) {
            open.push((start, 0));
        }
        while let Some((node, next)) = open.last_mut() {
            if let Some(successor) = edges.get(*node).and_then(|successors| successors.get(*next)) {
                *next += 1;
                if visit(seen, *successor) {
                    open.push((*successor, 0));
                }
            } else {
                order.push(*node);
                open.pop();
            }
        }
    }
    order
}

/// Marks a node as seen; false when it was, or there is none.
fn visit(seen: &mut [bool], node: usize) -> bool {
    seen.get_mut(node).is_some_and(|seen| !std::mem::replace(seen, true))
}

fn reversed(edges: &Edges) -> Edges {
    let mut backwards = vec![Vec::new(); edges.len()];
    for (node, successors) in edges.iter().enumerate() {
        for successor in successors {
            if let Some(predecessors) = backwards.get_mut(*successor) {
                predecessors.push(node);
            }
        }
    }
    backwards
}

/// How many steps each node is away from the nearest of `starts`; `None` when nothing leads to it.
pub(super) fn distances(edges: &Edges, starts: &[usize]) -> Vec<Option<usize>> {
    let mut distances = vec![None; edges.len()];
    let mut front: Vec<usize> = starts.to_vec();
    let mut distance = 0;
    while !front.is_empty() {
        let mut next = Vec::new();
        for node in front {
            if let Some(unknown @ None) = distances.get_mut(node) {
                *unknown = Some(distance);
                next.extend(edges.get(node).into_iter().flatten().copied());
            }
        }
        front = next;
        distance += 1;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_before_what_they_lead_to() {
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]];
        let mut groups = groups(&edges);
        for group in &mut groups {
            group.sort_unstable();
        }
        assert_eq!(groups, [vec![4], vec![0], vec![1, 2], vec![3]]);
    }

    #[test]
    fn distances_are_the_shortest() {
        let edges = vec![vec![1, 2], vec![2], vec![3], vec![], vec![0]];
        assert_eq!(distances(&edges, &[0]), [Some(0), Some(1), Some(1), Some(2), None]);
    }
}
